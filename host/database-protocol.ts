import type { ResultSet, Value } from '@libsql/client/http';
import type { Statement } from '../netlify/server/db/database.ts';
import { type DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
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
  // The library puts the code in front of the message each time an error is made.
  const said = code !== undefined && message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message;
  return { fault, name, message: said, code: code ?? '', extendedCode };
}
