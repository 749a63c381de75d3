import type { InValue } from '@libsql/client/http';
import { type Statement, sql } from './database.ts';

/** Rows that one statement deletes: what is left waits for the next minute, so that no flood of rows holds up other writes. */
const deletedAtOnce = 1_000;

/** Deletes some of the rows that a condition names. @param condition may end in an order. */
export function deleteSome(table: string, condition: string, ...args: InValue[]): Statement {
  return sql(
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${deletedAtOnce})`,
    ...args,
  );
}
