import { accessSync, closeSync, constants, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import type { FileGuard } from '../netlify/server/db/database.ts';

const megabyte = 1024 * 1024;

/**
 * Size in bytes of the reserve file, which is deleted when the disk is full. Sign-ins and inquiries take a few
 * kilobytes each, so the site can still store many of them after uploads have filled the disk.
 */
const reserveBytes = 8 * megabyte;

/** A disk with fewer free bytes than this number counts as full. */
const lowBytes = 2 * reserveBytes;

/** Identifies a file independently of its path, by device and inode number. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Returns memory for one file identity. All threads share the memory through {@link shareIdentity} and
 * {@link sharedIdentity}.
 */
export function identityMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT);
}

/** Tells all threads which file is open. */
export function shareIdentity(memory: SharedArrayBuffer, { dev, ino }: FileIdentity): void {
  const known = new BigInt64Array(memory);
  known.set([dev, ino], 1);
  Atomics.store(known, 0, 1n);
  Atomics.notify(known, 0);
}

/** Returns the identity of the open file, or null if no thread has opened the file yet. */
export function sharedIdentity(memory: SharedArrayBuffer): FileIdentity | null {
  const [isKnown, dev, ino] = new BigUint64Array(memory);
  return isKnown === 1n ? { dev: dev!, ino: ino! } : null;
}

/** Blocks this thread until the first writer has opened the database file and stored its identity in `memory`. */
export function awaitIdentity(memory: SharedArrayBuffer): void {
  Atomics.wait(new BigInt64Array(memory), 0, 0n);
}

function identityOf(file: string): FileIdentity | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? { dev: found.dev, ino: found.ino } : null;
}

const same = (a: FileIdentity | null, b: FileIdentity | null): boolean => a?.dev === b?.dev && a?.ino === b?.ino;

/**
 * Checks whether the disk is nearly full. Also returns true if the reserve was deleted and the disk has no room for a
 * new one.
 */
export function isDiskFull(file: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(file));
  const free = bavail * bsize;
  return free < (statSync(reserveOf(file), { throwIfNoEntry: false }) ? lowBytes - reserveBytes : lowBytes);
}

const reserveOf = (file: string): string => join(dirname(file), 'reserve');

/** Detects that the database file at a path was deleted or replaced, and keeps a reserve file next to it. */
export class DatabaseGuard implements FileGuard {
  readonly #file: string;
  #opened: FileIdentity | null;
  #log: FileIdentity | null = null;

  /**
   * @param opened the identity of the file that an earlier thread of this process opened, or null in the first thread.
   */
  constructor(file: string, opened: FileIdentity | null) {
    this.#file = file;
    this.#opened = opened;
  }

  get identity(): FileIdentity | null {
    return this.#opened;
  }

  /** Records the identity of the file at the path, unless this guard already has an identity. */
  adopt(): void {
    this.#opened ??= identityOf(this.#file);
  }

  /**
   * Accepts a new write-ahead log: the last connection to close deletes the log, and the next connection creates
   * another.
   */
  forgetLog(): void {
    this.#log = null;
  }

  checkIdentity(): void {
    if (this.#opened === null) return;
    if (!same(identityOf(this.#file), this.#opened)) throw new DatabaseFault('deleted');
    // If the write-ahead log was deleted or replaced, the latest commits are lost.
    const log = identityOf(`${this.#file}-wal`);
    if (this.#log !== null && !same(log, this.#log)) throw new DatabaseFault('deleted');
    this.#log = log;
  }

  /**
   * Replaces the fault `unreachable` with `read-only` if permissions are missing. SQLite reports both with the same
   * code.
   */
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

  /** Creates the reserve file if it does not exist and the disk has room for it. */
  keepReserve(): void {
    const reserve = reserveOf(this.#file);
    try {
      if (statSync(reserve, { throwIfNoEntry: false })) return;
      const { bavail, bsize } = statfsSync(dirname(this.#file));
      if (bavail * bsize < lowBytes + reserveBytes) return;
      // Fails if another process creates the reserve at the same moment.
      const handle = openSync(reserve, 'wx', 0o600);
      try {
        // Random bytes, because some file systems store zeros without using disk space. The module is loaded here
        // because the reserve is created once, and loading the module at the top would more than double the start time
        // of each thread.
        const { randomBytes } = process.getBuiltinModule('node:crypto');
        const block = randomBytes(megabyte);
        for (let written = 0; written < reserveBytes; written += block.length) writeSync(handle, block);
      } catch {
        rmSync(reserve, { force: true });
      } finally {
        closeSync(handle);
      }
    } catch {
      // The folder is missing or read-only. The next write reports that error.
    }
  }
}
