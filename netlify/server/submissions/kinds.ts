import { apiPaths } from '../../../src/domain/api-paths.ts';
import { applicationFields, applicationPage, applicationRecord } from '../../../src/domain/application.ts';
import { inquiryFields, inquiryPage, inquiryRecord } from '../../../src/domain/inquiry.ts';

/** The two kinds of submissions. `one` is the singular with its article, and `quota` the kind of its bytes. */
export const kinds = {
  inquiry: {
    one: 'an inquiry',
    many: 'inquiries',
    quota: 'form',
    paths: apiPaths.inquiries,
    fields: inquiryFields,
    record: inquiryRecord,
    page: inquiryPage,
  },
  application: {
    one: 'an application',
    many: 'applications',
    quota: 'resume',
    paths: apiPaths.applications,
    fields: applicationFields,
    record: applicationRecord,
    page: applicationPage,
  },
} as const;

export type Kind = keyof typeof kinds;
