import type * as z from 'zod/mini';
import {
  type ApplicationCounts,
  type ApplicationRecord,
  applicationFields,
  applicationRecord,
  leavingDays,
  type resumeFacts,
  yearsFrom,
} from '../../../src/domain/application.ts';
import { type Database, sql, text } from '../db/database.ts';
import { type Filled, type Notices, commonParts, submissionTable } from './submissions.ts';

/** A new application. Its resume is in a separate store, under the same id. */
export interface NewApplication extends Filled<typeof applicationFields> {
  readonly resume: z.infer<typeof resumeFacts>;
}

/** @param keptYears the age in years at which an application is deleted. */
export function applicationStore(database: Database, notices: Notices, keptYears: number) {
  const resumeColumns = ({ resume: { name, kind, size } }: NewApplication) => ({
    resume_name: name,
    resume_kind: kind,
    resume_size: size,
  });
  const shared = submissionTable(
    database,
    {
      kind: 'application',
      table: 'applications',
      fields: applicationFields,
      extra: resumeColumns,
      ownColumns: [
        ...['resume_name', 'resume_kind', 'resume_size'],
        ...['delete_at', 'held_at', 'held_by', 'hold_reason'],
      ],
      toRecord: (row) =>
        applicationRecord.parse({
          ...commonParts(applicationFields, row),
          resume: { name: row.resume_name, kind: row.resume_kind, size: Number(row.resume_size) },
          keptUntil: row.delete_at ?? yearsFrom(text(row.created_at), keptYears),
          hold: row.held_at === null ? null : { at: row.held_at, by: row.held_by, reason: row.hold_reason },
        }),
    },
    notices,
  );
  const daysLater = (at: string, days: number) => new Date(Date.parse(at) + days * 24 * 60 * 60_000).toISOString();
  /**
   * Returns the FROM and WHERE clauses for the applications that are due for deletion within {@link leavingDays} days,
   * are not on hold, and have no announced deletion yet.
   */
  const toAnnounce = (at: string) =>
    sql(
      'FROM applications WHERE delete_at IS NULL AND held_at IS NULL AND created_at <= ?',
      yearsFrom(daysLater(at, leavingDays), -keptYears),
    );

  return {
    ...shared,

    async counts(at: string): Promise<ApplicationCounts> {
      const { sql: soon, args } = toAnnounce(at);
      const [counts, [row]] = await Promise.all([
        shared.counts(),
        database.read(
          sql(
            `SELECT (SELECT count(*) ${soon})
               + (SELECT count(*) FROM applications WHERE delete_at IS NOT NULL AND held_at IS NULL) AS leaving`,
            ...args,
          ),
        ),
      ]);
      return { ...counts, leaving: Number(row?.leaving) };
    },

    /**
     * Sets the deletion time of applications that will soon be `keptYears` old. The deletion time is at least
     * {@link leavingDays} days from now.
     * @returns the deletion times (ISO 8601, UTC), the earliest first.
     */
    async announceDeletions(at: string, limit: number): Promise<string[]> {
      const { sql: condition, args } = toAnnounce(at);
      const rows = await database.read(
        sql(`SELECT id, created_at ${condition} ORDER BY created_at, seq LIMIT ?`, ...args, limit),
      );
      const soonest = daysLater(at, leavingDays);
      const announced = rows.map((row) => {
        const due = yearsFrom(text(row.created_at), keptYears);
        return { id: text(row.id), at: due > soonest ? due : soonest };
      });
      await database.write(
        ...announced.map((one) =>
          sql(
            'UPDATE applications SET delete_at = ? WHERE id = ? AND delete_at IS NULL AND held_at IS NULL',
            one.at,
            one.id,
          ),
        ),
      );
      return announced.map((one) => one.at).sort();
    },

    /** Returns the ids of applications whose announced time of deletion has come, the earliest time first. */
    async overdueIds(at: string, limit: number): Promise<string[]> {
      const rows = await database.read(
        sql(
          `SELECT id FROM applications WHERE delete_at IS NOT NULL AND held_at IS NULL AND delete_at <= ?
           ORDER BY delete_at, seq LIMIT ?`,
          at,
          limit,
        ),
      );
      return rows.map((row) => text(row.id));
    },

    /**
     * Puts an application on hold, so it is not deleted until the hold is released.
     * @returns null if the application does not exist.
     */
    async hold(id: string, hold: { at: string; by: string; reason: string }): Promise<ApplicationRecord | null> {
      await database.write(
        sql(
          'UPDATE applications SET held_at = ?, held_by = ?, hold_reason = ?, delete_at = NULL WHERE id = ?',
          hold.at,
          hold.by,
          hold.reason,
          id,
        ),
      );
      return await shared.get(id);
    },

    /**
     * Releases the hold. If the application is old enough to be deleted, the next run of the deletion job announces its
     * deletion again.
     * @returns null if the application does not exist.
     */
    async releaseHold(id: string): Promise<ApplicationRecord | null> {
      await database.write(
        sql(`UPDATE applications SET held_at = NULL, held_by = '', hold_reason = '' WHERE id = ?`, id),
      );
      return await shared.get(id);
    },

    /** Returns the ids of a person's applications that are on hold. */
    async heldIdsOf(email: string): Promise<string[]> {
      const rows = await database.read(
        sql('SELECT id FROM applications WHERE lower(email) = lower(?) AND held_at IS NOT NULL ORDER BY seq', email),
      );
      return rows.map((row) => text(row.id));
    },
  };
}
