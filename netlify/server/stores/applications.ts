import type * as z from 'zod/mini';
import { type ApplicationInput, applicationRecord, type resumeFacts } from '../../../src/domain/application.ts';
import type { Database } from '../db/database.ts';
import { type NewSubmission, type Notices, commonFields, submissionTable } from './submissions.ts';

/** An application on its way into the store; its resume is in a store of its own, under the same id. */
export interface NewApplication extends NewSubmission {
  readonly input: ApplicationInput;
  readonly resume: z.infer<typeof resumeFacts>;
}

export function applicationStore(database: Database, notices: Notices) {
  const { insert, ...shared } = submissionTable(
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
        }),
    },
    notices,
  );
  return {
    ...shared,
    create: ({ input, resume, ...application }: NewApplication) =>
      insert(application, [
        ...[input.fullName, input.email, input.phone, input.position, input.experience, input.coverLetter],
        ...[resume.name, resume.kind, resume.size],
      ]),
  };
}
