import type * as z from 'zod/mini';
import {
  type ApplicationCounts,
  type ApplicationInput,
  type ApplicationRecord,
  applicationRecord,
  leavingDays,
  type resumeFacts,
  yearsFrom,
} from '../../../src/domain/application.ts';
import { type Database, sql, text } from '../db/database.ts';
import { type NewSubmission, type Notices, type Past, commonFields, submissionTable } from './submissions.ts';

/** An application on its way into the store; its resume is in a store of its own, under the same id. */
export interface NewApplication extends NewSubmission {
  readonly input: ApplicationInput;
  readonly resume: z.infer<typeof resumeFacts>;
}

/** @param keptYears after so long an application is to be deleted. */
export function applicationStore(database: Database, notices: Notices, keptYears: number) {
  const { insert, insertPast, ...shared } = submissionTable(
    database,
    {
      kind: 'application',
      table: 'applications',
      columns: [
        ...['full_name', 'email', 'phone', 'position', 'experience', 'cover_letter'],
        ...['resume_name', 'resume_kind', 'resume_size'],
      ],
      ownColumns: ['delete_at', 'held_at', 'held_by', 'hold_reason'],
      toRecord: (row) =>
        applicationRecord.parse({
          ...commonFields(row),
          fullName: row.full_name,
          email: row.email,
          phone: row.phone,
          position: row.position,
          experience: row.experience,
          coverLetter: row.cover_letter,
          resume: { name: row.resume_name, kind: row.resume_kind, size: Number(row.resume_size) },
          keptUntil: row.delete_at ?? yearsFrom(text(row.created_at), keptYears),
          hold: row.held_at === null ? null : { at: row.held_at, by: row.held_by, reason: row.hold_reason },
        }),
    },
    notices,
  );
  const daysLater = (at: string, days: number) => new Date(Date.parse(at) + days * 24 * 60 * 60_000).toISOString();
  /** Those that no admin holds, whose deletion is not announced and is less than {@link leavingDays} away. */
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
     * Sets the day of deletion of applications that were kept almost long enough: never less than {@link leavingDays} from now.
     * @returns the days, the soonest first.
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

    /** Ids of those whose announced day has come, the oldest first. */
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

    /** Keeps it past its time until the hold is released. @returns null where there is none. */
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

    /** Its deletion is announced again, where it was kept long enough. @returns null where there is none. */
    async releaseHold(id: string): Promise<ApplicationRecord | null> {
      await database.write(
        sql(`UPDATE applications SET held_at = NULL, held_by = '', hold_reason = '' WHERE id = ?`, id),
      );
      return await shared.get(id);
    },

    /** Of a person's applications, those that an admin holds. */
    async heldIdsOf(email: string): Promise<string[]> {
      const rows = await database.read(
        sql('SELECT id FROM applications WHERE lower(email) = lower(?) AND held_at IS NOT NULL ORDER BY seq', email),
      );
      return rows.map((row) => text(row.id));
    },

    create: ({ input, resume, ...application }: NewApplication) => insert(application, valuesOf(input, resume)),

    /** Stores applications with what became of them. @returns how many were not there yet. */
    createPast: (applications: readonly (NewApplication & Past)[]) =>
      insertPast(
        applications.map(({ input, resume, ...submission }) => ({ submission, values: valuesOf(input, resume) })),
      ),
  };
}

const valuesOf = (input: ApplicationInput, resume: NewApplication['resume']) => [
  ...[input.fullName, input.email, input.phone, input.position, input.experience, input.coverLetter],
  ...[resume.name, resume.kind, resume.size],
];
