import { randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import type { FileGuard } from '../netlify/server/db/database.ts';

const megabyte = 1024 * 1024;

/**
 * A file of this size is given up when the disk is full. Sign-ins and inquiries are a few kilobytes each, so they go on
 * for long after uploads have filled the disk.
 */
const reserveBytes = 8 * megabyte;

/** Less free space than this counts as a full disk. */
const lowBytes = 2 * reserveBytes;

/** Which file a path leads to. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

function identityOf(file: string): FileIdentity | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? { dev: found.dev, ino: found.ino } : null;
}

const same = (a: FileIdentity | null, b: FileIdentity | null): boolean => a?.dev === b?.dev && a?.ino === b?.ino;

/** True where so little space is left that only small writes fit, or where the reserve was given up and cannot be made again. */
export function isDiskFull(file: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(file));
  const free = bavail * bsize;
  return free < (statSync(reserveOf(file), { throwIfNoEntry: false }) ? lowBytes - reserveBytes : lowBytes);
}

const reserveOf = (file: string): string => join(dirname(file), 'reserve');

/** Watches the database file at a path, and keeps a reserve of space next to the file. */
export class DatabaseGuard implements FileGuard {
  readonly #file: string;
  #opened: FileIdentity | null;
  #log: FileIdentity | null = null;

  /** @param opened the file that an earlier thread of this process opened at the path, where there was one. */
  constructor(file: string, opened: FileIdentity | null) {
    this.#file = file;
    this.#opened = opened;
  }

  get identity(): FileIdentity | null {
    return this.#opened;
  }

  /** Takes the file that is there now as the one to watch. */
  adopt(): void {
    this.#opened ??= identityOf(this.#file);
  }

  /** Forgets the log: the last connection to close removes it, and the next one makes another. */
  forgetLog(): void {
    this.#log = null;
  }

  checkIdentity(): void {
    if (this.#opened === null) return;
    if (!same(identityOf(this.#file), this.#opened)) throw new DatabaseFault('deleted');
    // What was committed last is in the log alone.
    const log = identityOf(`${this.#file}-wal`);
    if (this.#log !== null && !same(log, this.#log)) throw new DatabaseFault('deleted');
    this.#log = log;
  }

  /** SQLite says only that it could not open or write a file: where the rights are missing, that is why. */
  explain(error: unknown): unknown {
    if (!isDatabaseFault(error) || error.fault !== 'unreachable') return error;
    for (const path of [dirname(this.#file), this.#file, `${this.#file}-wal`]) {
      try {
        accessSync(path, constants.W_OK);
      } catch (reason) {
        const { code } = reason as NodeJS.ErrnoException;
        if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
          return new DatabaseFault('read-only', error.cause);
      }
    }
    return error;
  }

  freeSpace(): boolean {
    const reserve = reserveOf(this.#file);
    if (!statSync(reserve, { throwIfNoEntry: false }) || !isDiskFull(this.#file)) return false;
    rmSync(reserve, { force: true });
    return true;
  }

  /** Makes the reserve where it is missing and the disk has room for more than the reserve. */
  keepReserve(): void {
    const reserve = reserveOf(this.#file);
    if (statSync(reserve, { throwIfNoEntry: false })) return;
    const { bavail, bsize } = statfsSync(dirname(this.#file));
    if (bavail * bsize < lowBytes + reserveBytes) return;
    const handle = openSync(reserve, 'wx', 0o600);
    try {
      // Random, since a file system may store zeros in no space at all.
      const block = randomBytes(megabyte);
      for (let written = 0; written < reserveBytes; written += block.length) writeSync(handle, block);
    } catch {
      rmSync(reserve, { force: true });
    } finally {
      closeSync(handle);
    }
  }
}
