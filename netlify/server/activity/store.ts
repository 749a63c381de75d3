import { millisecondsInHour } from 'date-fns/constants';
import type { ActivityQuery, ActivityRecord } from '../../../src/domain/activity.ts';
import type { Page } from '../../../src/domain/text/paging.ts';
import { all, type Database, insert, record, sql } from '../db/database.ts';
import { readPage } from '../db/paging.ts';

/** An action to record. */
export type NewActivity = Omit<ActivityRecord, 'id' | 'link'> & Partial<Pick<ActivityRecord, 'link'>>;

/** The activity log: actions of admins, and automatic deletions. */
export function activityStore(database: Database) {
  return {
    /** Records the actions of one request or job. */
    async create(entries: readonly NewActivity[]): Promise<void> {
      await database.write(...entries.map((entry) => insert('activity', entry)));
    },

    /** Records an action that anyone can cause as often as they like, such as a failed sign-in: at most once an hour. */
    async createOnceAnHour(entry: NewActivity): Promise<void> {
      const { at, who, action } = entry;
      const hourAgo = new Date(Date.parse(at) - millisecondsInHour).toISOString();
      const isNew = sql`NOT EXISTS (SELECT 1 FROM activity WHERE at > ${hourAgo} AND who = ${who} AND action = ${action})`;
      await database.write(insert('activity', entry, isNew));
    },

    /** Returns the entries about a person, such as an invitation, with the person's email address. */
    people: () =>
      all<{ id: string; email: string; createdAt: string }>(
        database,
        sql`SELECT CAST(seq AS TEXT) AS id, subject AS email, at AS created_at FROM activity WHERE subject LIKE '%@%'`,
      ),

    /** Removes the person from these entries. */
    async forget(ids: readonly string[]): Promise<void> {
      await database.write(
        sql`UPDATE activity SET subject = 'a person whose data was erased'
            WHERE seq IN (SELECT CAST(value AS INTEGER) FROM json_each(${JSON.stringify(ids)}))`,
      );
    },

    /** Returns a page of the log, newest first. */
    async list({
      limit,
      cursor,
    }: Pick<ActivityQuery, 'limit'> & Partial<ActivityQuery>): Promise<Page<ActivityRecord>> {
      const select = sql`SELECT seq, at, who, action, subject, link FROM activity WHERE TRUE`;
      return await readPage(database, select, { column: 'at', descending: true, limit, cursor }, (row) => {
        const { seq: id, ...entry } = record<Omit<ActivityRecord, 'id'> & { seq: number }>(row);
        return { id, ...entry };
      });
    },
  };
}
