import type { InValue } from '@libsql/client/http';
import { type Statement, sql } from './database.ts';

/** The most rows that one statement deletes. The rest wait for the next minute, so a flood of rows delays no other write. */
const mostDeleted = 1_000;

/**
 * Deletes some of the rows that a condition names.
 * @param condition may end in an order.
 */
export function deleteSome(table: string, condition: string, ...args: InValue[]): Statement {
  return deleteSomeBy('rowid', table, condition, ...args);
}

/** {@link deleteSome} for a table without rowid. @param key the columns of its primary key. */
export function deleteSomeBy(key: string, table: string, condition: string, ...args: InValue[]): Statement {
  return sql(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${mostDeleted})`,
    ...args,
  );
}
