import type { Row } from '@libsql/client/http';
import { type ActivityQuery, type ActivityRecord, activityRecord } from '../../../src/domain/activity.ts';
import type { Page } from '../../../src/domain/paging.ts';
import { type Database, sql, text } from '../db/database.ts';
import { cursorCondition, cursorOf } from '../db/paging.ts';

/** The newest so many are kept, whatever their age. */
const mostKept = 10_000;

/** What admins did, and the site by itself: written once, never changed, forgotten when it is old. */
export function activityStore(database: Database) {
  return {
    /** Notes everything that one request did, or one run of a job. */
    async create(entries: readonly Omit<ActivityRecord, 'id'>[]): Promise<void> {
      await database.write(
        ...entries.map(({ at, who, action, subject }) =>
          sql('INSERT INTO activity (at, who, action, subject) VALUES (?, ?, ?, ?)', at, who, action, subject),
        ),
      );
    },

    /** A page, newest first. */
    async list({ limit, cursor }: ActivityQuery): Promise<Page<ActivityRecord>> {
      const after = cursor ? cursorCondition(cursor, 'at', 'seq', true) : sql('TRUE');
      const rows = await database.read(
        sql(
          `SELECT seq, at, who, action, subject FROM activity WHERE ${after.sql} ORDER BY at DESC, seq DESC LIMIT ?`,
          ...after.args,
          limit + 1,
        ),
      );
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(toRecord),
        nextCursor: rows.length > limit && last ? cursorOf(text(last.at), Number(last.seq)) : null,
      };
    },

    /** Forgets what is older than `at`, and all but the newest 10,000. */
    async removeBefore(at: string): Promise<void> {
      await database.write(
        sql('DELETE FROM activity WHERE at < ?', at),
        sql('DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - ?', mostKept),
      );
    },
  };
}

function toRecord(row: Row): ActivityRecord {
  return activityRecord.parse({
    id: row.seq,
    at: row.at,
    who: row.who,
    action: row.action,
    subject: row.subject,
  });
}
