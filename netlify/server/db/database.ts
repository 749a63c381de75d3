import type { Client, InValue, Row, Value } from '@libsql/client/http';
import { asFault, DatabaseFault, isDatabaseFault } from './fault.ts';

export interface Statement {
  readonly sql: string;
  readonly args: InValue[];
}

export interface Result {
  readonly rows: Row[];
  readonly rowsAffected: number;
}

/**
 * Creates a statement: sql`SELECT * FROM posts WHERE id = ${id}`. Each value becomes a parameter. A statement as a value
 * is inserted at its place, with its own parameters.
 */
export function sql(parts: TemplateStringsArray, ...values: readonly (InValue | Statement)[]): Statement {
  const inserted = values.map((value) => (isStatement(value) ? value : { sql: '?', args: [value] }));
  return {
    sql: parts.map((part, index) => part + (inserted[index]?.sql ?? '')).join(''),
    args: inserted.flatMap(({ args }) => args),
  };
}

/** Creates a statement, or a part of one, from trusted text such as the name of a table. */
export const rawSql = (text: string): Statement => ({ sql: text, args: [] });

/**
 * Creates a statement that inserts a record, if a condition holds. Its names in camel case are the columns in snake case.
 */
export function insert(table: string, values: object, condition?: Statement): Statement {
  const columns = Object.keys(values).map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const parameters = columns.map(() => '?').join(', ');
  // Faster than SELECT, which may insert several rows, so SQLite must be able to undo the statement alone.
  const row = condition ? `SELECT ${parameters} WHERE ${condition.sql}` : `VALUES (${parameters})`;
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}) ${row}`,
    args: [...(Object.values(values) as InValue[]), ...(condition?.args ?? [])],
  };
}

const isStatement = (value: InValue | Statement): value is Statement =>
  typeof value === 'object' && value !== null && 'sql' in value;

/** Returns a row with the names of its columns in camel case: `created_at` becomes `createdAt`. */
export function record<Shape>(row: Row): Shape {
  // A row from a libSQL server has its values by number, too.
  const columns = Object.keys(row).filter((column) => !/^\d/.test(column));
  const named = columns.map((column) => [
    column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    row[column],
  ]);
  return Object.fromEntries(named) as Shape;
}

/** Returns the value of a column that is declared TEXT NOT NULL. @throws {TypeError} if the value is not text. */
export function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`expected text in a row, got ${typeof value}`);
  return value;
}

/** The only interface to the database. Only stores and `netlify/server/db` call it. */
export interface Database {
  /** Runs a SELECT and returns its rows. */
  read(statement: Statement): Promise<Row[]>;
  /** Runs all statements in one transaction. When the promise resolves, the transaction is on disk. */
  write(...statements: Statement[]): Promise<Result[]>;
  /** Runs a migration in one transaction. Waits longer for a lock than {@link write}. */
  apply(statements: readonly Statement[]): Promise<void>;
  /**
   * Checks that the database can be written. Changes nothing.
   * @throws {DatabaseFault} if it cannot.
   */
  check(): Promise<void>;
  close(): void;
}

/** Returns the rows of a SELECT, each as a {@link record} by default. */
export async function all<Shape>(
  database: Pick<Database, 'read'>,
  statement: Statement,
  toRecord: (row: Row) => Shape = record<Shape>,
): Promise<Shape[]> {
  return (await database.read(statement)).map((row) => toRecord(row));
}

/** Returns the first row of a SELECT as in {@link all}, or null. */
export const one = async <Shape>(...query: Parameters<typeof all<Shape>>): Promise<Shape | null> =>
  (await all(...query))[0] ?? null;

/** Runs statements in one transaction. @returns the number of rows that the first one changed. */
export async function change(database: Pick<Database, 'write'>, ...statements: Statement[]): Promise<number> {
  return (await database.write(...statements))[0]?.rowsAffected ?? 0;
}

/** Begins a write that changes no row, so it fails if the database cannot be written. @throws {DatabaseFault} */
export async function checkBy({ write }: Pick<Database, 'write'>): Promise<void> {
  try {
    await write(sql`UPDATE installation SET at = at WHERE name = 'nothing'`);
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
  const read = async (statement: Statement) => (await client.execute(statement).catch(throwFault)).rows;
  const write = (...statements: Statement[]) => client.batch(statements, 'write').catch(throwFault);
  return {
    read: (statement) =>
      read(statement).catch((error: unknown) => {
        // A connection can fail for a moment. A read changes nothing, so it is safe to repeat.
        if (isDatabaseFault(error) && error.fault === 'unreachable') return read(statement);
        throw error;
      }),
    write,
    apply: async (statements) => void (await write(...statements)),
    check: () => checkBy({ write }),
    close: () => client.close(),
  };
}
