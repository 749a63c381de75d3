import type { Config } from '@netlify/functions';
import { inquiryPage, inquiryRecord, serviceInterestLabel } from '../../src/domain/inquiry.ts';
import { endpoint } from '../server/http/endpoint.ts';
import { submissionRoutes } from '../server/submission-routes.ts';

export default endpoint(
  ...submissionRoutes({
    kind: 'inquiry',
    path: '/api/contact/submissions',
    one: 'an inquiry',
    many: 'inquiries',
    record: inquiryRecord,
    page: inquiryPage,
    store: ({ inquiries }) => inquiries,
    csv: {
      Company: ({ company }) => company,
      Service: ({ serviceInterest }) => serviceInterestLabel(serviceInterest),
      Message: ({ message }) => message,
    },
  }),
);

export const config: Config = {
  path: [
    '/api/contact/submissions',
    '/api/contact/submissions.csv',
    '/api/contact/submissions/:id',
    '/api/contact/submissions/:id/release',
    '/api/contact/submissions/:id/quarantine',
    '/api/contact/submissions/:id/handled',
    '/api/contact/submissions/:id/note',
    '/api/contact/submissions/:id/resend',
  ],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
