import { type InquiryInput, inquiryRecord } from '../../../src/domain/inquiry.ts';
import type { Database } from '../db/database.ts';
import { type NewSubmission, type Notices, type Past, commonFields, submissionTable } from './submissions.ts';

/** An inquiry on its way into the store: everything is decided before, so that a retry writes the same row. */
export interface NewInquiry extends NewSubmission {
  readonly input: InquiryInput;
}

export function inquiryStore(database: Database, notices: Notices) {
  const { insert, insertPast, ...shared } = submissionTable(
    database,
    {
      kind: 'inquiry',
      table: 'inquiries',
      columns: ['full_name', 'email', 'company', 'service_interest', 'message'],
      toRecord: (row) =>
        inquiryRecord.parse({
          ...commonFields(row),
          fullName: row.full_name,
          email: row.email,
          company: row.company,
          serviceInterest: row.service_interest,
          message: row.message,
        }),
    },
    notices,
  );
  return {
    ...shared,
    create: ({ input, ...inquiry }: NewInquiry) => insert(inquiry, valuesOf(input)),
    /** Stores inquiries with what became of them. @returns how many were not there yet. */
    createPast: (inquiries: readonly (NewInquiry & Past)[]) =>
      insertPast(inquiries.map(({ input, ...submission }) => ({ submission, values: valuesOf(input) }))),
  };
}

const valuesOf = (input: InquiryInput) => [
  input.fullName,
  input.email,
  input.company,
  input.serviceInterest,
  input.message,
];
