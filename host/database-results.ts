import type { ResultSet, Row, Value } from '@libsql/client/http';
import { DatabaseFault } from '../netlify/server/db/fault.ts';
import type { Outcome, PlainError, PlainResult } from './database-protocol.ts';

/** @throws the error that the statement raised in the thread. */
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
  const error =
    code === '' ? new Error(`${name}: ${message}`) : Object.assign(new Error(message), { name, code, extendedCode });
  return fault ? new DatabaseFault(fault, fault === name ? undefined : error) : error;
}
