import type { Row } from '@libsql/client/http';
import {
  type ActivityKind,
  type ActivityQuery,
  type ActivityRecord,
  activityRecord,
  failedSignIn,
  retention,
} from '../../../src/domain/activity.ts';
import type { Page } from '../../../src/domain/paging.ts';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, type Statement, sql } from '../db/database.ts';
import { cursorCondition, pageFrom } from '../db/paging.ts';

/** An action to record. */
export type NewActivity = Pick<ActivityRecord, 'at' | 'who' | 'action' | 'subject'>;

/**
 * The activity log: actions of admins, and automatic deletions. Anyone can cause failed sign-ins, so the log has one entry
 * an hour for those of an account, with a count.
 */
export function activityStore(database: Database) {
  const insert = ({ at, who, action, subject }: NewActivity, kind: ActivityKind): Statement =>
    sql('INSERT INTO activity (at, who, action, subject, kind) VALUES (?, ?, ?, ?, ?)', at, who, action, subject, kind);
  /** Returns a statement that adds to the hour's count of an action, or creates the count. */
  const count = ({ at, who, action, subject }: NewActivity, kind: ActivityKind): Statement =>
    sql(
      `INSERT INTO activity (at, who, action, subject, kind, hour) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (hour, kind, who, action, subject) WHERE hour IS NOT NULL
       DO UPDATE SET count = count + 1, at = max(at, excluded.at)`,
      ...[at, who, action, subject, kind, at.slice(0, 13)],
    );

  return {
    /** Records the actions of one request or job. */
    async create(entries: readonly NewActivity[]): Promise<void> {
      await database.write(
        ...entries.map((entry) => (entry.action === failedSignIn ? count : insert)(entry, kindOf(entry))),
      );
    },

    /** Returns a page of the log, newest first. */
    async list({
      kind = '',
      limit,
      cursor,
    }: Partial<ActivityQuery> & Pick<ActivityQuery, 'limit'>): Promise<Page<ActivityRecord>> {
      const after = cursor ? cursorCondition(cursor, 'at', 'seq', true) : sql('TRUE');
      const only = kind === '' ? sql('TRUE') : sql('kind = ?', kind);
      const rows = await database.read(
        sql(
          `SELECT seq, at, who, action, subject, kind, count FROM activity WHERE ${only.sql} AND ${after.sql}
           ORDER BY at DESC, seq DESC LIMIT ?`,
          ...only.args,
          ...after.args,
          limit + 1,
        ),
      );
      return pageFrom(rows, limit, 'at', toRecord);
    },

    /** Deletes entries from before `at`. Each call deletes a limited number of rows, and the next run continues. */
    async removeBefore(at: string): Promise<void> {
      await database.write(deleteSome('activity', 'at < ?', at));
    },
  };
}

const signIns: readonly string[] = [failedSignIn, 'signed in', 'signed out'];

function kindOf({ who, action }: NewActivity): ActivityKind {
  if (who === retention) return 'site';
  return signIns.includes(action) ? 'sign-in' : 'change';
}

function toRecord(row: Row): ActivityRecord {
  return activityRecord.parse({
    id: row.seq,
    at: row.at,
    who: row.who,
    action: row.action,
    subject: row.subject,
    kind: row.kind,
    count: row.count,
  });
}
