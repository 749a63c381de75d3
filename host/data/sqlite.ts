import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { InValue, Row } from '@libsql/client/http';
import { checkBy, type Database, type Result, type Statement } from '../../netlify/server/db/database.ts';
import { DatabaseFault, faultOf, isDatabaseFault } from '../../netlify/server/db/fault.ts';

/** The name of the database file in the data folder. */
export const databaseName = 'site.db';

type Fault = DatabaseFault['fault'];

/** What a read or a write returned. `fault` is null if the statement is wrong and not the database. */
export type Outcome = { readonly results: Result[] } | { readonly error: Error; readonly fault: Fault | null };

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
    try {
      const url = `${pathToFileURL(file).href}?mode=${create ? 'rwc' : 'rw'}`;
      this.#database = new DatabaseSync(url, { timeout: lockWaitMs });
      const settings = readOnly ? ['query_only = ON', 'cache_size = -4000'] : pragmas;
      for (const pragma of settings) this.#database.exec(`PRAGMA ${pragma}`);
    } catch (error) {
      throw errorOf(failureOf(error, file));
    }
  }

  read(statement: Statement): Outcome {
    try {
      return { results: [this.#run(statement)] };
    } catch (error) {
      return failureOf(error, this.#file);
    }
  }

  /**
   * Runs several writes in one transaction, because each commit waits for the disk. An invalid write does not make the
   * others fail. When this method returns, the transaction is on the disk.
   */
  write(writes: readonly (readonly Statement[])[]): Outcome[] {
    try {
      const results = this.#commit(writes.flat());
      let next = 0;
      return writes.map(({ length }) => ({ results: results.slice(next, (next += length)) }));
    } catch (error) {
      const failure = failureOf(error, this.#file);
      if (writes.length === 1 || failure.fault !== null) return writes.map(() => failure);
      // One invalid statement rolled back the transaction of the whole group, so each write is tried alone.
      return writes.flatMap((one) => this.write([one]));
    }
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

  #commit(statements: readonly Statement[]): Result[] {
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
  }

  /** @throws {DatabaseFault} `deleted` if the file or its log was deleted or replaced since the first commit. */
  #checkIdentity(): void {
    const identity = [this.#file, `${this.#file}-wal`]
      .map((path) => statSync(path, { throwIfNoEntry: false })?.ino ?? 'none')
      .join();
    this.#identity ??= identity;
    if (identity !== this.#identity) throw new DatabaseFault('deleted');
  }
}

/** Explains an error of SQLite. */
export function failureOf(thrown: unknown, file: string): Extract<Outcome, { error: Error }> {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (isDatabaseFault(error)) return { error: error.cause instanceof Error ? error.cause : error, fault: error.fault };
  const { errcode = 0 } = error as Error & { errcode?: number };
  const fault = errcode === damagedIndex ? null : faultOf(errcode & 0xff);
  return { error, fault: fault === 'unreachable' && !isWritable(file) ? 'read-only' : fault };
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
  const write = (statements: readonly Statement[]) => resultsOf(opened.write([statements])[0]!);
  const database: Omit<Database, 'check'> = {
    read: async (statement) => resultsOf(opened.read(statement))[0]!.rows,
    write: async (...statements) => write(statements),
    apply: async (statements) => void write(statements),
    close: () => opened.close(),
  };
  return { ...database, check: () => checkBy(database) };
}

/** @throws the error of the statement, as a DatabaseFault if the database is at fault. */
export function resultsOf(outcome: Outcome): Result[] {
  if ('results' in outcome) return outcome.results;
  throw errorOf(outcome);
}

export function errorOf({ error, fault }: Extract<Outcome, { error: Error }>): Error {
  return fault === null ? error : new DatabaseFault(fault, error);
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
