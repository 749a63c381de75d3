import { inquiryFields, inquiryRecord } from '../../../src/domain/inquiry.ts';
import type { Database } from '../db/database.ts';
import { type Filled, type Notices, commonParts, submissionTable } from './submissions.ts';

export type NewInquiry = Filled<typeof inquiryFields>;

export function inquiryStore(database: Database, notices: Notices) {
  return submissionTable(
    database,
    {
      kind: 'inquiry',
      table: 'inquiries',
      fields: inquiryFields,
      toRecord: (row) => inquiryRecord.parse(commonParts(inquiryFields, row)),
    },
    notices,
  );
}
