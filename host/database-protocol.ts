import { LibsqlError, type ResultSet, type Row, type Value } from '@libsql/client/http';
import type { Statement } from '../netlify/server/db/database.ts';
import { DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import type { FileIdentity } from './database-guard.ts';

/*
 * The messages between the server's thread and the threads of the database. A result names its columns once rather than in
 * each row, which halves the work of copying.
 */

/** The `workerData` of a thread. */
export interface ThreadData {
  readonly role: 'writer' | 'reader' | 'inspector';
  readonly file: string;
  readonly opened: FileIdentity | null;
}

export type ThreadRequest =
  | { readonly kind: 'write'; readonly id: number; readonly writes: readonly (readonly Statement[])[] }
  | { readonly kind: 'apply'; readonly id: number; readonly statements: readonly Statement[] }
  | { readonly kind: 'check'; readonly id: number }
  | { readonly kind: 'read'; readonly id: number; readonly statement: Statement }
  | { readonly kind: 'close' };

/** The first message of a thread has the id 0. It says that the file is open, or why the file cannot be opened. */
export interface ThreadAnswer {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
  /** How long the thread worked on the request, in milliseconds. */
  readonly took: number;
  /** The file that the thread opened. */
  readonly identity: FileIdentity | null;
}

type Outcome = { readonly results: readonly PlainResult[] } | { readonly error: PlainError };

interface PlainResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly rowsAffected: number;
  readonly lastInsertRowid: bigint | undefined;
}

interface PlainError {
  readonly fault: DatabaseFault['fault'] | null;
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly extendedCode: string | undefined;
}

export function plainResult({ columns, rows, rowsAffected, lastInsertRowid }: ResultSet): PlainResult {
  return { columns, rows: rows.map((row) => Array.from(row)), rowsAffected, lastInsertRowid };
}

/** @throws the error that the thread met. */
export function resultsOf(outcome: Outcome | undefined): ResultSet[] {
  if (!outcome) throw new TypeError('expected an outcome from the database thread');
  if ('error' in outcome) throw errorOf(outcome.error);
  return outcome.results.map(resultOf);
}

function resultOf({ columns, rows, rowsAffected, lastInsertRowid }: PlainResult): ResultSet {
  const named = rows.map((values) => {
    const row: Record<string, Value> = {};
    for (const [index, column] of columns.entries()) {
      if (!Object.hasOwn(row, column)) row[column] = values[index] ?? null;
    }
    return row as unknown as Row;
  });
  return { columns: [...columns], columnTypes: [], rows: named, rowsAffected, lastInsertRowid, toJSON: () => named };
}

export function plainError(error: unknown): PlainError {
  const fault = isDatabaseFault(error) ? error.fault : null;
  const cause = isDatabaseFault(error) && error.cause instanceof Error ? error.cause : error;
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
  const { code, extendedCode } = cause as { code?: string; extendedCode?: string };
  // The library puts the code in front of the message each time an error is made.
  const said = code !== undefined && message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message;
  return { fault, name, message: said, code: code ?? '', extendedCode };
}

function errorOf({ fault, name, message, code, extendedCode }: PlainError): Error {
  const error = code === '' ? new Error(`${name}: ${message}`) : new LibsqlError(message, code, extendedCode);
  return fault ? new DatabaseFault(fault, fault === name ? undefined : error) : error;
}
