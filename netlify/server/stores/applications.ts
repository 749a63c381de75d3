import type * as z from 'zod/mini';
import {
  type ApplicationCounts,
  type ApplicationInput,
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
          keptUntil: yearsFrom(text(row.created_at), keptYears),
        }),
    },
    notices,
  );
  // Each place by the index of its time.
  const overdue = (at: string) =>
    sql(`FROM applications WHERE status IN ('inbox', 'quarantine') AND created_at <= ?`, yearsFrom(at, -keptYears));

  return {
    ...shared,

    async counts(at: string): Promise<ApplicationCounts> {
      const { sql: condition, args } = overdue(new Date(Date.parse(at) + leavingDays * 24 * 60 * 60_000).toISOString());
      const [counts, [row]] = await Promise.all([
        shared.counts(),
        database.read(sql(`SELECT count(*) AS leaving ${condition}`, ...args)),
      ]);
      return { ...counts, leaving: Number(row?.leaving) };
    },

    /** Ids of those that were kept long enough, the oldest first. */
    async overdueIds(at: string, limit: number): Promise<string[]> {
      const { sql: condition, args } = overdue(at);
      const rows = await database.read(sql(`SELECT id ${condition} ORDER BY created_at, seq LIMIT ?`, ...args, limit));
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
