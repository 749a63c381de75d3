import type { Client, InValue, ResultSet, Row, Value } from '@libsql/client/http';
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
  /** Runs all statements in one transaction that may take its time and waits long for a lock: for migrations alone. */
  apply(statements: readonly Statement[]): Promise<void>;
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
    read: async (statement) => {
      const ask = async () => (await client.execute(statement).catch(throwFault)).rows;
      // A connection may break off for a moment. A read changes nothing, so it may be asked twice.
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

// WAL lets readers go on while a commit is written; FULL makes a commit survive a power cut. What is deleted is overwritten:
// people's data are erased on request.
const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
  'cache_size = -8000',
];

/** How long nothing has been written when the log is written back into the database file, in milliseconds. */
const quietMs = 1_000;
/** Pause between two tries to get a lock, in milliseconds. Each try itself waits as long as the client's own timeout. */
const lockPauseMs = 20;

/** What guards the file of an embedded database. */
export interface FileGuard {
  /** @throws {DatabaseFault} `deleted` where the path no longer leads to the file that was opened first. */
  checkIdentity(): void;
  /** Called where the disk is full. @returns true where space was freed and another try makes sense. */
  freeSpace(): boolean;
}

interface EmbeddedOptions {
  /** How long a write waits for another program's lock beyond the client's own timeout, in milliseconds. */
  readonly lockWaitMs?: number;
  /** The same for {@link Database.apply}. */
  readonly applyLockWaitMs?: number;
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
 * A database file in this thread, of one connection. Writes that are asked for in the same turn of the event loop share one commit, and so
 * one flush to the disk: under load that is what a durable write costs. Each still succeeds or fails for itself.
 */
export async function embeddedDatabase(open: () => Client, options: EmbeddedOptions = {}): Promise<Database> {
  interface Waiting {
    readonly statements: readonly Statement[];
    /** When it stops waiting for a lock, by the clock of `performance.now()`. */
    readonly lockDeadline: number;
    resolve(results: ResultSet[]): void;
    reject(error: unknown): void;
  }
  const { lockWaitMs = 0, applyLockWaitMs = 30_000, guard } = options;
  const largestGroup = 128;
  let waiting: Waiting[] = [];
  let client: Promise<Client> | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let closed = false;

  /** Opens the file for the first caller. Where that fails it fails for all callers that wait, and the next call tries again. */
  const connection = (): Promise<Client> =>
    (client ??= (async () => {
      // Opening a path makes a missing file, and an empty database must never take the place of a lost one.
      guard?.checkIdentity();
      return await connected(open);
    })().catch((error: unknown) => {
      client = undefined;
      throw error;
    }));
  await connection().catch(throwFault);

  // Empties the log, which would otherwise keep what was deleted. While anybody reads an older state the log stays, and
  // the next quiet moment tries again: waiting for a lock would hold up every write.
  const checkpoint = async (): Promise<boolean> => {
    const used = await connection();
    const [row] = (await used.execute('PRAGMA busy_timeout')).rows;
    // Asked for in one go: nothing else comes between.
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
    // Where it fails, the next write does the work, and says what is wrong with the disk.
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
        // A statement that waited for a lock in vain is left unfinished by the native library, and no later transaction on
        // the connection could commit.
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
        // One of them failed and took the others with it: the transaction was rolled back, so each is tried alone.
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
