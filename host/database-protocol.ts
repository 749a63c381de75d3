import type { ResultSet, Value } from '@libsql/client/http';
import type { Statement } from '../netlify/server/db/database.ts';
import { type DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';

/*
 * Messages between the server's thread and the database threads. A result lists its column names once instead of in
 * each row, which halves the cost of copying a result between threads.
 */

/** The `workerData` of a thread. */
export interface ThreadData {
  readonly role: 'writer' | 'reader' | 'inspector';
  readonly file: string;
  /** Memory that all threads share, for the identity of the open file (database-guard.ts). */
  readonly opened: SharedArrayBuffer;
}

export type ThreadRequest =
  | { readonly kind: 'write'; readonly id: number; readonly writes: readonly (readonly Statement[])[] }
  | { readonly kind: 'apply'; readonly id: number; readonly statements: readonly Statement[] }
  | { readonly kind: 'check'; readonly id: number }
  | { readonly kind: 'read'; readonly id: number; readonly statement: Statement }
  | { readonly kind: 'close' };

/**
 * A response of a database thread. The first message of a thread has the id 0 and reports whether a writer or reader
 * could start, or whether an inspector found damage.
 */
export interface ThreadAnswer {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
  /** The time in milliseconds that the thread worked on the request. */
  readonly took: number;
}

export type Outcome = { readonly results: readonly PlainResult[] } | { readonly error: PlainError };

export interface PlainResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly rowsAffected: number;
  readonly lastInsertRowid: bigint | undefined;
}

export interface PlainError {
  readonly fault: DatabaseFault['fault'] | null;
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly extendedCode: string | undefined;
}

export function plainResult({ columns, rows, rowsAffected, lastInsertRowid }: ResultSet): PlainResult {
  return { columns, rows: rows.map((row) => Array.from(row)), rowsAffected, lastInsertRowid };
}

export function plainError(error: unknown): PlainError {
  const fault = isDatabaseFault(error) ? error.fault : null;
  const cause = isDatabaseFault(error) && error.cause instanceof Error ? error.cause : error;
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
  const { code, extendedCode } = cause as { code?: string; extendedCode?: string };
  // The database library begins each message with the code. `PlainError` has the code in its own property, so this line
  // removes the code from the message.
  const said = code !== undefined && message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message;
  return { fault, name, message: said, code: code ?? '', extendedCode };
}
