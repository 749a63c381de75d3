import type { Config } from '@netlify/functions';
import { type InquiryRecord, inquiryPage, inquiryRecord } from '../../src/domain/inquiry.ts';
import { resendInput, submissionListQuery } from '../../src/domain/submission.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal, notFound } from '../server/http/refusal.ts';
import { inquiriesCsv } from '../server/inquiries-csv.ts';
import { deliverMail } from '../server/mail/deliver.ts';

const found = (inquiry: InquiryRecord | null): InquiryRecord => {
  if (!inquiry) throw notFound('This inquiry');
  return inquiry;
};

export default endpoint(
  on('GET', '/api/contact/submissions', {
    access: 'admin',
    summary: 'Inquiries of one place, newest first unless asked otherwise',
    output: inquiryPage,
    query: submissionListQuery,
    run: async ({ query, services: { stores } }) => {
      const [page, counts] = await Promise.all([stores.inquiries.list(query), stores.inquiries.counts()]);
      return { ...page, counts };
    },
  }),
  on('GET', '/api/contact/submissions.csv', {
    access: 'admin',
    summary: 'All inquiries that the query finds, as a file',
    output: 'text/csv',
    query: submissionListQuery,
    run: async ({ query, services, record }) => {
      record('exported inquiries as CSV', query.q && `matching "${query.q}"`);
      return inquiriesCsv(query, services);
    },
  }),
  on('GET', '/api/contact/submissions/:id', {
    access: 'admin',
    summary: 'One inquiry',
    output: inquiryRecord,
    run: async ({ params, services: { stores } }) => found(await stores.inquiries.get(params.id ?? '')),
  }),
  on('POST', '/api/contact/submissions/:id/release', {
    access: 'admin',
    summary: 'Takes an inquiry out of quarantine; its mails go out',
    output: inquiryRecord,
    run: async ({ params, services, waitUntil, record }) => {
      const inquiry = found(await services.stores.inquiries.release(params.id ?? ''));
      record('released an inquiry', inquiry.reference);
      waitUntil(deliverMail(services));
      return inquiry;
    },
  }),
  on('POST', '/api/contact/submissions/:id/quarantine', {
    access: 'admin',
    summary: 'Puts an inquiry into quarantine',
    output: inquiryRecord,
    run: async ({ params, services: { stores }, record }) => {
      const inquiry = found(await stores.inquiries.quarantine(params.id ?? ''));
      record('put an inquiry into quarantine', inquiry.reference);
      return inquiry;
    },
  }),
  on('POST', '/api/contact/submissions/:id/resend', {
    access: 'admin',
    summary: 'Sends one of an inquiry’s mails again and waits for the mail server',
    output: inquiryRecord,
    input: resendInput,
    run: async ({ params, input, services, record }) => {
      const { stores, now } = services;
      const inquiry = found(await stores.inquiries.get(params.id ?? ''));
      if (
        !(await stores.outbox.again({ kind: 'inquiry', id: inquiry.id, audience: input.mail }, now().toISOString()))
      ) {
        throw new Refusal('conflict', 'This inquiry is in quarantine. Release it first; its mail then goes out.');
      }
      record(`sent the mail to the ${input.mail} again`, inquiry.reference);
      // The admin waits for the outcome: it is what the button is for.
      await deliverMail(services);
      return found(await stores.inquiries.get(inquiry.id));
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
    '/api/contact/submissions/:id/resend',
  ],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
