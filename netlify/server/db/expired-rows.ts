import { keptDays } from '../../../src/domain/submissions/retention.ts';
import { type Database, type Statement, rawSql, sql } from './database.ts';

/** Rows that are deleted by their age: the table, the column of the time, and the days that the rows are kept. */
const expiring: readonly (readonly [table: string, column: string, days: number])[] = [
  ['sessions', 'expires_at', 0],
  ['sessions', 'seen_at', keptDays.idleSession],
  ['sign_in_tries', 'ends_at', 0],
  ['share_links', 'expires_at', 0],
  ['set_up_links', 'expires_at', keptDays.invitation],
  ['anonymous_bytes', 'expires_at', 0],
  ['activity', 'at', keptDays.activity],
  ['posts', 'deleted_at', keptDays.trashedPost],
  ['unsaved', 'updated_at', keptDays.unsaved],
];

const noticeDays = 90;

/**
 * The most rows that one statement deletes, so many expired rows do not block other writes for long. The job runs every
 * hour and deletes the remaining rows.
 */
const mostDeleted = 10_000;

const deleteSome = (table: Statement, condition: Statement): Statement =>
  sql`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${mostDeleted})`;

/** Deletes the rows that nobody needs any longer, in one transaction. */
export async function removeExpiredRows(database: Database, at: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(at.getTime() - days * 24 * 60 * 60_000).toISOString();
  await database.write(
    ...expiring.map(([table, column, days]) => deleteSome(rawSql(table), sql`${rawSql(column)} < ${daysAgo(days)}`)),
    deleteSome(sql`outbox`, sql`submission IS NULL AND created_at < ${daysAgo(noticeDays)}`),
    // Messages to the chat are unsent for two days only if its webhook was removed.
    deleteSome(sql`outbox`, sql`audience = 'webhook' AND status IN ('waiting', 'retrying') AND due_at < ${daysAgo(2)}`),
  );
}
