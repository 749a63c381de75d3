import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { InValue, Row } from '@libsql/client/http';
import { checkBy, type Database, type Result, type Statement } from '../../netlify/server/db/database.ts';
import { DatabaseFault, faultOf } from '../../netlify/server/db/fault.ts';

/** The name of the database file in the data folder. */
export const databaseName = 'site.db';

// WAL lets readers continue during a commit. FULL makes a commit survive a power cut. secure_delete overwrites deleted
// data, because people's data is erased on request.
const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
  'cache_size = -8000',
];

/** A damaged search index (SQLITE_CORRUPT_VTAB) can be rebuilt from the intact rows, so writes need not stop. */
const damagedIndex = 11 + (1 << 8);

const mostPrepared = 200;

export interface SqliteOptions {
  readonly readOnly?: boolean;
  /** How long a statement waits for a lock of another program, in milliseconds. */
  readonly lockWaitMs?: number;
  /** False if a missing file is an error. Otherwise, SQLite creates it. */
  readonly create?: boolean;
}

/** A connection to a database file. Its methods block the thread while the disk is slow or the file is locked. */
export class SqliteFile {
  readonly #file: string;
  readonly #lockWaitMs: number;
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  #identity: string | undefined;

  /** @throws {DatabaseFault} if the file cannot be opened. */
  constructor(file: string, { readOnly = false, lockWaitMs = 5_000, create = true }: SqliteOptions = {}) {
    this.#file = file;
    this.#lockWaitMs = lockWaitMs;
    this.#database = this.#explain(() => {
      const url = `${pathToFileURL(file).href}?mode=${create ? 'rwc' : 'rw'}`;
      const database = new DatabaseSync(url, { timeout: lockWaitMs });
      const settings = readOnly ? ['query_only = ON', 'cache_size = -4000'] : pragmas;
      for (const pragma of settings) database.exec(`PRAGMA ${pragma}`);
      return database;
    });
  }

  /** @throws {DatabaseFault} if the database is at fault, or the error of SQLite if the statement is wrong. */
  read(statement: Statement): Result {
    return this.#explain(() => this.#run(statement));
  }

  /** Runs statements in one transaction, which is on the disk when this method returns. @throws as {@link read} does. */
  write(statements: readonly Statement[]): Result[] {
    return this.#explain(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const results = statements.map((statement) => this.#run(statement));
        this.#database.exec('COMMIT');
        this.#checkIdentity();
        return results;
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /**
   * Truncates the write-ahead log (WAL), which would otherwise still contain deleted data.
   * @returns false if a reader still uses the log. This method does not wait for it, because that would delay writes.
   */
  checkpoint(): boolean {
    this.#database.exec('PRAGMA busy_timeout = 0');
    try {
      return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${this.#lockWaitMs}`);
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #run({ sql, args }: Statement): Result {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    if (this.#prepared.size >= mostPrepared) this.#prepared.clear();
    this.#prepared.set(sql, statement);
    const values = args.map(bound);
    if (statement.columns().length === 0) return { rows: [], rowsAffected: Number(statement.run(...values).changes) };
    return { rows: statement.all(...values).map(unbound), rowsAffected: 0 };
  }

  /** @throws {DatabaseFault} `deleted` if the file or its log was deleted or replaced since the first commit. */
  #checkIdentity(): void {
    const identity = [this.#file, `${this.#file}-wal`]
      .map((path) => statSync(path, { throwIfNoEntry: false })?.ino ?? 'none')
      .join();
    this.#identity ??= identity;
    if (identity !== this.#identity) throw new DatabaseFault('deleted');
  }

  /** Runs `work`, and throws a DatabaseFault in place of an error for which the database is at fault. */
  #explain<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const { errcode = 0 } = error as { errcode?: number };
      const fault = errcode === damagedIndex ? null : faultOf(errcode & 0xff);
      if (fault === null) throw error;
      throw new DatabaseFault(fault === 'unreachable' && !isWritable(this.#file) ? 'read-only' : fault, error);
    }
  }
}

/** SQLite reports missing permissions with the same code as a missing folder or a failing disk. */
function isWritable(file: string): boolean {
  try {
    for (const path of [dirname(file), file, `${file}-wal`]) accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return !['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** Opens a database file in this thread, for a command or a test. */
export function openInThisThread(file: string, options?: SqliteOptions): Database {
  const opened = new SqliteFile(file, options);
  const database: Omit<Database, 'check'> = {
    read: async (statement) => opened.read(statement).rows,
    write: async (...statements) => opened.write(statements),
    apply: async (statements) => void opened.write(statements),
    close: () => opened.close(),
  };
  return { ...database, check: () => checkBy(database) };
}

/** Converts the values that only the libSQL client accepts. */
function bound(value: InValue): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}

/** Returns a row with its blobs as the libSQL client does. */
function unbound(row: Record<string, SQLOutputValue>): Row {
  for (const name in row) {
    const value = row[name];
    if (value instanceof Uint8Array) Object.assign(row, { [name]: value.slice().buffer });
  }
  return row as unknown as Row;
}
