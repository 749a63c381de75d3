import type { Client, InValue, ResultSet, Row, Transaction, Value } from '@libsql/client/http';
import { asFault, DatabaseFault, isDatabaseFault } from './fault.ts';

export interface Statement {
  readonly sql: string;
  readonly args: InValue[];
}

/** A statement with its parameters, in order. */
export function sql(statement: string, ...args: InValue[]): Statement {
  return { sql: statement, args };
}

/** A column that is declared TEXT NOT NULL. @throws where the row has no such text: the statement and the schema disagree. */
export function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`expected text in a row, got ${typeof value}`);
  return value;
}

/** The one way to the database. Only `netlify/server/stores` and `netlify/server/db` call it. */
export interface Database {
  /** Rows of one reading statement. */
  read(statement: Statement): Promise<Row[]>;
  /** Runs all statements in one transaction: all of them are durable when the promise resolves, or none is. */
  write(...statements: Statement[]): Promise<ResultSet[]>;
  /** An interactive transaction, for migrations alone: it holds the write lock until it ends. */
  transaction(): Promise<Transaction>;
  /**
   * Writes and reads a row.
   * @throws {DatabaseFault} where the database cannot do both.
   */
  check(): Promise<void>;
  close(): void;
}

/** Writes the time into the row that is there for this, and reads it. @throws {DatabaseFault} */
async function checkBy({ read, write }: Pick<Database, 'read' | 'write'>): Promise<void> {
  const at = new Date().toISOString();
  try {
    await write(
      sql('INSERT INTO health_checks (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at', at),
    );
    await read(sql('SELECT at FROM health_checks'));
  } catch (error) {
    const fault = asFault(error);
    throw isDatabaseFault(fault) ? fault : new DatabaseFault('unreachable', error);
  }
}

const throwFault = (error: unknown): never => {
  throw asFault(error);
};

/** A libSQL server over the network: each write is one round trip. */
export function remoteDatabase(client: Client): Database {
  const database: Omit<Database, 'check'> = {
    read: async (statement) => (await client.execute(statement).catch(throwFault)).rows,
    write: (...statements) => client.batch(statements, 'write').catch(throwFault),
    transaction: () => client.transaction('write'),
    close: () => client.close(),
  };
  return { ...database, check: () => checkBy(database) };
}

/** True where another connection held the lock for longer than this one waits. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

// WAL lets readers go on while a commit is written; FULL makes a commit survive a power cut. What is deleted is overwritten:
// people's data are erased on request.
const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
  'cache_size = -32000',
];

/** How long nothing has been written when the log is written back into the database file, in milliseconds. */
const quietMs = 1_000;

async function connected(open: () => Client): Promise<Client> {
  const client = open();
  try {
    for (const pragma of pragmas) await client.execute(`PRAGMA ${pragma}`);
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}

/**
 * A database file in this process, of one connection. Writes that are asked for in the same turn of the event loop share one commit, and so
 * one flush to the disk: under load that is what a durable write costs. Each still succeeds or fails for itself.
 */
export async function embeddedDatabase(open: () => Client): Promise<Database> {
  interface Waiting {
    readonly statements: Statement[];
    resolve(results: ResultSet[]): void;
    reject(error: unknown): void;
  }
  const largestGroup = 128;
  let waiting: Waiting[] = [];
  let client: Promise<Client> | undefined;
  let quiet: NodeJS.Timeout | undefined;

  /** Opens it for whoever comes first. Where that fails it fails for those who wait for it, and the next one tries again. */
  const connection = (): Promise<Client> =>
    (client ??= connected(open).catch((error: unknown) => {
      client = undefined;
      throw error;
    }));
  await connection();

  // Empties the log, which else would go on holding what was deleted. Where another process is reading, it stays as it is
  // until the next quiet moment: waiting for a lock would hold up every visitor.
  const checkpoint = async (): Promise<void> => {
    const used = await connection();
    const [row] = (await used.execute('PRAGMA busy_timeout')).rows;
    // Asked for in one go: nothing else comes between.
    await Promise.all([
      used.executeMultiple('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)'),
      used.execute(`PRAGMA busy_timeout = ${Number(row?.timeout)}`),
    ]);
  };

  const commit = async (group: Waiting[]): Promise<void> => {
    let used: Client | undefined;
    let results: ResultSet[];
    try {
      used = await connection();
      const statements = group.flatMap((one) => one.statements);
      results = await used.batch(statements, 'write');
    } catch (error) {
      const busy = isBusy(error);
      // A statement that waited for a lock in vain is left unfinished by the native library, and no later transaction on
      // the connection could commit.
      if (used && busy) {
        client = undefined;
        used.close();
      }
      // One of them failed and took the others with it: the transaction was rolled back, so each is tried by itself. Not
      // where all of them waited, which holds up the whole process: each would wait as long again.
      if (used && !busy && group.length > 1) for (const one of group) await commit([one]);
      else for (const one of group) one.reject(error);
      return;
    }
    let next = 0;
    for (const one of group) {
      one.resolve(results.slice(next, next + one.statements.length));
      next += one.statements.length;
    }
  };

  const flush = async (): Promise<void> => {
    clearTimeout(quiet);
    while (waiting.length > 0) {
      const group = waiting.slice(0, largestGroup);
      await commit(group);
      waiting = waiting.slice(group.length);
    }
    // Where it fails, the next one does its work, and a write says what is wrong with the disk.
    quiet = setTimeout(() => void checkpoint().catch(() => undefined), quietMs).unref();
  };

  const database: Omit<Database, 'check'> = {
    read: async (statement) => (await (await connection()).execute(statement)).rows,
    write: (...statements) =>
      new Promise((resolve, reject) => {
        waiting.push({ statements, resolve, reject });
        if (waiting.length === 1) setImmediate(() => void flush());
      }),
    transaction: async () => (await connection()).transaction('write'),
    close: () => {
      clearTimeout(quiet);
      void client?.then((opened) => opened.close()).catch(() => undefined);
    },
  };
  return { ...database, check: () => checkBy(database) };
}
