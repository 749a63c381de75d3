import { apiPaths } from '../api-paths.ts';
import { type ApplicationRecord, applicationFields, applicationPage, applicationRecord } from './application.ts';
import { type InquiryRecord, inquiryFields, inquiryPage, inquiryRecord } from './inquiry.ts';

export type Submission = InquiryRecord | ApplicationRecord;

export const isApplication = (submission: Submission): submission is ApplicationRecord => 'resume' in submission;

/** The two kinds of submissions. */
export const submissionKinds = {
  inquiry: {
    one: 'inquiry',
    many: 'inquiries',
    paths: apiPaths.inquiries,
    fields: inquiryFields,
    record: inquiryRecord,
    page: inquiryPage,
  },
  application: {
    one: 'application',
    many: 'applications',
    paths: apiPaths.applications,
    fields: applicationFields,
    record: applicationRecord,
    page: applicationPage,
  },
} as const;

export type SubmissionKind = keyof typeof submissionKinds;
