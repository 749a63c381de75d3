import { randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import type { FileGuard } from '../netlify/server/db/database.ts';

const megabyte = 1024 * 1024;

/**
 * Size of a file that is deleted when the disk is full. Sign-ins and inquiries are a few kilobytes each, so the freed space
 * holds many of them after uploads have filled the disk.
 */
const reserveBytes = 8 * megabyte;

/** A disk with less free space than this counts as full. */
const lowBytes = 2 * reserveBytes;

/** Identifies a file, whatever its path. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

function identityOf(file: string): FileIdentity | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? { dev: found.dev, ino: found.ino } : null;
}

const same = (a: FileIdentity | null, b: FileIdentity | null): boolean => a?.dev === b?.dev && a?.ino === b?.ino;

/** Returns true if only small writes fit, or if the reserve was deleted and has no room to return. */
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

  /** @param opened the file that an earlier thread of this process opened at the path, or null in the first thread. */
  constructor(file: string, opened: FileIdentity | null) {
    this.#file = file;
    this.#opened = opened;
  }

  get identity(): FileIdentity | null {
    return this.#opened;
  }

  /** Watches the file that is now at the path, unless a file is watched already. */
  adopt(): void {
    this.#opened ??= identityOf(this.#file);
  }

  /** Accepts another log: the last connection to close deletes the log, and the next connection makes a new one. */
  forgetLog(): void {
    this.#log = null;
  }

  checkIdentity(): void {
    if (this.#opened === null) return;
    if (!same(identityOf(this.#file), this.#opened)) throw new DatabaseFault('deleted');
    // The latest commits are only in the log.
    const log = identityOf(`${this.#file}-wal`);
    if (this.#log !== null && !same(log, this.#log)) throw new DatabaseFault('deleted');
    this.#log = log;
  }

  /** Replaces `unreachable` by `read-only` if permissions are missing. SQLite reports both in the same way. */
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

  /** Makes the reserve if it is missing and the disk has room for it. */
  keepReserve(): void {
    const reserve = reserveOf(this.#file);
    try {
      if (statSync(reserve, { throwIfNoEntry: false })) return;
      const { bavail, bsize } = statfsSync(dirname(this.#file));
      if (bavail * bsize < lowBytes + reserveBytes) return;
      // Fails if another process makes the reserve at the same moment.
      const handle = openSync(reserve, 'wx', 0o600);
      try {
        // Random bytes, since a file system may store zeros in no space.
        const block = randomBytes(megabyte);
        for (let written = 0; written < reserveBytes; written += block.length) writeSync(handle, block);
      } catch {
        rmSync(reserve, { force: true });
      } finally {
        closeSync(handle);
      }
    } catch {
      // The folder is missing or read-only, which the next write reports.
    }
  }
}
