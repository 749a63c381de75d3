import { LibsqlError, type ResultSet, type Row, type Value } from '@libsql/client/http';
import { DatabaseFault } from '../netlify/server/db/fault.ts';
import type { Outcome, PlainError, PlainResult } from './database-protocol.ts';

/* Not in database-protocol.ts: the library's client for servers would take 4 MB in each thread of the database. */

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

function errorOf({ fault, name, message, code, extendedCode }: PlainError): Error {
  const error = code === '' ? new Error(`${name}: ${message}`) : new LibsqlError(message, code, extendedCode);
  return fault ? new DatabaseFault(fault, fault === name ? undefined : error) : error;
}
