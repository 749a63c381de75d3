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
import { keptActivities } from '../../../src/domain/retention.ts';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, type Statement, sql } from '../db/database.ts';
import { cursorCondition, pageFrom } from '../db/paging.ts';

/** The most rows of one person in a day. Further actions are counted by the hour. */
const mostRowsADay = 1_000;
const day = 24 * 60 * 60_000;

/** An action to record. The store decides whether it becomes a row or is added to a count. */
export type NewActivity = Pick<ActivityRecord, 'at' | 'who' | 'action' | 'subject'>;

/** A kind of refused request, counted for an hour. */
export interface RefusalCount {
  /** The time of the last refused request; ISO 8601, UTC. */
  readonly at: string;
  readonly action: string;
  readonly subject: string;
  readonly count: number;
}

/**
 * The activity log: actions of admins, automatic deletions, and refused requests. Entries older than 90 days are
 * deleted unless they are among the 10,000 newest. A flood of requests must not push other entries out of these 10,000.
 * For refusals, failed sign-ins, and a person's actions beyond 1,000 a day, the log therefore has one entry an hour for
 * each action, with a count.
 */
export function activityStore(database: Database) {
  const insert = ({ at, who, action, subject }: NewActivity, kind: ActivityKind): Statement =>
    sql('INSERT INTO activity (at, who, action, subject, kind) VALUES (?, ?, ?, ?, ?)', at, who, action, subject, kind);
  /** Returns a statement that adds to the hour's count of an action, or creates the count. */
  const count = ({ at, who, action, subject }: NewActivity, kind: ActivityKind, times: number): Statement =>
    sql(
      `INSERT INTO activity (at, who, action, subject, kind, count, hour) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (hour, kind, who, action, subject) WHERE hour IS NOT NULL
       DO UPDATE SET count = count + excluded.count, at = max(at, excluded.at)`,
      ...[at, who, action, subject, kind, times, at.slice(0, 13)],
    );

  /** Returns whether a person has fewer than {@link mostRowsADay} rows in the last 24 hours. */
  const hasRoom = async ({ who, at }: NewActivity): Promise<boolean> => {
    const since = new Date(Date.parse(at) - day).toISOString();
    const rows = await database.read(
      sql(
        'SELECT 1 FROM activity WHERE hour IS NULL AND who = ? AND at > ? LIMIT 1 OFFSET ?',
        who,
        since,
        mostRowsADay - 1,
      ),
    );
    return rows.length === 0;
  };

  return {
    /** Records the actions of one request or job. */
    async create(entries: readonly NewActivity[]): Promise<void> {
      const statements: Statement[] = [];
      for (const entry of entries) {
        const kind = kindOf(entry);
        if (entry.action === failedSignIn) statements.push(count(entry, kind, 1));
        else if (await hasRoom(entry)) statements.push(insert(entry, kind));
        else statements.push(count({ ...entry, subject: '' }, kind, 1));
      }
      await database.write(...statements);
    },

    /** Adds refused requests to the counts of their hour. */
    async addRefusals(refusals: readonly RefusalCount[]): Promise<void> {
      await database.write(
        ...refusals.map(({ count: times, ...refusal }) => count({ ...refusal, who: '' }, 'refused', times)),
      );
    },

    /**
     * Returns the most requests that were refused in one clock hour. Considers only counts whose last refusal is later
     * than `after`.
     */
    async mostRefusedInAnHour(after: string): Promise<number> {
      const [row] = await database.read(
        sql(
          `SELECT max(total) AS most FROM
             (SELECT sum(count) AS total FROM activity WHERE kind = 'refused' AND at > ? GROUP BY hour)`,
          after,
        ),
      );
      return Number(row?.most ?? 0);
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

    /**
     * Deletes entries older than `old`. Of the entries older than `recent`, it deletes refusals and all entries that
     * are not among the newest 10,000. Each call deletes a limited number of rows, and the next run continues.
     */
    async removeBefore({ old, recent }: { old: string; recent: string }): Promise<void> {
      await database.write(
        deleteSome('activity', 'at < ?', old),
        deleteSome('activity', `kind = 'refused' AND at < ?`, recent),
        // The subquery finds the first entry, from newest to oldest, that is not among the newest 10,000.
        deleteSome(
          'activity',
          `at < ?1 AND (at, seq) <= (SELECT at, seq FROM activity ORDER BY at DESC, seq DESC LIMIT 1 OFFSET ?2)`,
          recent,
          keptActivities,
        ),
      );
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
