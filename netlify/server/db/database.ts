import type { Client, InValue, ResultSet, Row, Value } from '@libsql/client/http';
import { asFault, DatabaseFault, isDatabaseFault } from './fault.ts';

export interface Statement {
  readonly sql: string;
  readonly args: InValue[];
}

/** Creates a statement with the values of its parameters, in order. */
export function sql(statement: string, ...args: InValue[]): Statement {
  return { sql: statement, args };
}

/** Returns the value of a column that is declared TEXT NOT NULL. @throws {TypeError} if the value is not text. */
export function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`expected text in a row, got ${typeof value}`);
  return value;
}

/** The only interface to the database. Only `netlify/server/stores` and `netlify/server/db` call it. */
export interface Database {
  /** Runs a SELECT and returns its rows. */
  read(statement: Statement): Promise<Row[]>;
  /** Runs all statements in one transaction. When the promise resolves, the transaction is on disk. */
  write(...statements: Statement[]): Promise<ResultSet[]>;
  /** Runs a migration in one transaction. Waits longer for a lock than {@link write}. */
  apply(statements: readonly Statement[]): Promise<void>;
  /**
   * Checks that the database can write and read a row.
   * @throws {DatabaseFault} if it cannot.
   */
  check(): Promise<void>;
  close(): void;
}

/** Writes the time to a row of the table `health_checks`, and reads it. @throws {DatabaseFault} if either fails. */
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

/** Creates the interface to a libSQL server. Each write is one network round trip. */
export function remoteDatabase(client: Client): Database {
  const database: Omit<Database, 'check'> = {
    read: async (statement) => {
      const ask = async () => (await client.execute(statement).catch(throwFault)).rows;
      // A connection can fail for a moment. A read changes nothing, so it is safe to repeat.
      return await ask().catch((error: unknown) => {
        if (isDatabaseFault(error) && error.fault === 'unreachable') return ask();
        throw error;
      });
    },
    write: (...statements) => client.batch(statements, 'write').catch(throwFault),
    apply: async (statements) => {
      await client.batch([...statements], 'write').catch(throwFault);
    },
    close: () => client.close(),
  };
  return { ...database, check: () => checkBy(database) };
}

// WAL lets readers continue during a commit. FULL makes a commit survive a power cut. secure_delete overwrites deleted
// data, because people's data is erased on request.
const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
  'cache_size = -8000',
];

/** Milliseconds without a write after which the write-ahead log (WAL) is copied into the database file. */
const quietMs = 1_000;
/** The pause between two tries to get a lock, in ms. Each try can last as long as the client's busy timeout. */
const lockPauseMs = 20;

/** Watches the file of an embedded database, and the space on its disk. */
export interface FileGuard {
  /** @throws {DatabaseFault} `deleted` if the file that was opened at the start has been deleted or replaced. */
  checkIdentity(): void;
  /** Tries to free space when the disk may be full. @returns true if space was freed, so the write can be retried. */
  freeSpace(): boolean;
}

/**
 * How long {@link Database.apply} retries to get a lock, in ms. The last try can also take the client's busy timeout.
 */
const applyLockWaitMs = 30_000;

interface EmbeddedOptions {
  /**
   * How long a write retries while another program holds the lock, in ms. The last try can also take the client's busy
   * timeout.
   */
  readonly lockWaitMs?: number;
  readonly guard?: FileGuard;
}

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
 * Opens a database file in this thread, with one connection. Writes that arrive in the same turn of the event loop
 * share one commit, because each commit waits for the disk. An invalid write does not make the others fail.
 */
export async function embeddedDatabase(open: () => Client, options: EmbeddedOptions = {}): Promise<Database> {
  interface Waiting {
    readonly statements: readonly Statement[];
    /** When the write stops waiting for a lock; a time of `performance.now()`. */
    readonly lockDeadline: number;
    resolve(results: ResultSet[]): void;
    reject(error: unknown): void;
  }
  const { lockWaitMs = 0, guard } = options;
  const largestGroup = 128;
  let waiting: Waiting[] = [];
  let client: Promise<Client> | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let closed = false;

  /**
   * Opens the file for the first caller. If opening fails, all waiting callers get the error, and the next call tries
   * again.
   */
  const connection = (): Promise<Client> =>
    (client ??= (async () => {
      // SQLite creates a missing file. This check keeps an empty database from replacing a file that was deleted.
      guard?.checkIdentity();
      return await connected(open);
    })().catch((error: unknown) => {
      client = undefined;
      throw error;
    }));
  await connection().catch(throwFault);

  // Truncates the WAL, which would otherwise still contain deleted data. Returns false if a reader still uses the WAL.
  // The busy timeout is 0, because waiting for the reader would delay every write.
  const checkpoint = async (): Promise<boolean> => {
    const used = await connection();
    const [row] = (await used.execute('PRAGMA busy_timeout')).rows;
    // All three are queued together, so no other statement runs with the timeout of 0.
    const [, emptied] = await Promise.all([
      used.execute('PRAGMA busy_timeout = 0'),
      used.execute('PRAGMA wal_checkpoint(TRUNCATE)'),
      used.execute(`PRAGMA busy_timeout = ${Number(row?.timeout)}`),
    ]);
    return emptied.rows[0]?.busy === 0;
  };

  const checkpointWhenQuiet = (): void => {
    clearTimeout(quiet);
    if (closed) return;
    // An error of the checkpoint is ignored, because the next write schedules another one. If the disk is broken, that
    // write fails and reports the error.
    quiet = setTimeout(() => {
      checkpoint()
        .then((emptied) => {
          if (!emptied) checkpointWhenQuiet();
        })
        .catch(() => undefined);
    }, quietMs).unref();
  };

  const commit = async (group: readonly Waiting[]): Promise<void> => {
    let used: Client | undefined;
    let results: ResultSet[];
    try {
      used = await connection();
      results = await used.batch(
        group.flatMap((one) => one.statements),
        'write',
      );
      guard?.checkIdentity();
    } catch (error) {
      const fault = asFault(error);
      const reason = isDatabaseFault(fault) ? fault.fault : null;
      if (reason === 'locked') {
        // After a timeout, the native library leaves the statement unfinished, so no later transaction on this
        // connection could commit. The next write opens a new connection.
        if (used) {
          client = undefined;
          used.close();
        }
        const patient = group.filter((one) => one.lockDeadline > performance.now());
        for (const one of group) if (!patient.includes(one)) one.reject(fault);
        if (patient.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
        await commit(patient);
      } else if ((reason === 'full' || reason === 'unreachable') && guard?.freeSpace()) {
        await commit(group);
      } else if (reason === null && group.length > 1) {
        // One invalid statement rolled back the transaction of the whole group, so each write is retried alone.
        for (const one of group) await commit([one]);
      } else {
        for (const one of group) one.reject(fault);
      }
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
    checkpointWhenQuiet();
  };

  const enqueue = (statements: readonly Statement[], wait: number): Promise<ResultSet[]> =>
    new Promise((resolve, reject) => {
      waiting.push({ statements, lockDeadline: performance.now() + wait, resolve, reject });
      if (waiting.length === 1) setImmediate(() => void flush());
    });

  const database: Omit<Database, 'check'> = {
    read: async (statement) => (await (await connection()).execute(statement).catch(throwFault)).rows,
    write: (...statements) => enqueue(statements, lockWaitMs),
    apply: async (statements) => {
      await enqueue(statements, applyLockWaitMs);
    },
    close: () => {
      closed = true;
      clearTimeout(quiet);
      void client?.then((opened) => opened.close()).catch(() => undefined);
    },
  };
  return { ...database, check: () => checkBy(database) };
}
