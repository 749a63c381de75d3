import type { InValue } from '@libsql/client/http';
import { type Statement, sql } from './database.ts';

/**
 * The most rows that one statement deletes, so many expired rows do not block other writes for long. Jobs run every
 * minute and delete the remaining rows.
 */
const mostDeleted = 1_000;

/**
 * Returns a statement that deletes at most 1,000 of the rows that match a condition.
 * @param condition SQL for the WHERE clause. It may end with an ORDER BY.
 */
export function deleteSome(table: string, condition: string, ...args: InValue[]): Statement {
  return sql(
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${mostDeleted})`,
    ...args,
  );
}
