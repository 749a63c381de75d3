import type { Config } from '@netlify/functions';
import { applicationPage, applicationRecord, experienceLabel, holdInput } from '../../src/domain/application.ts';
import { attachmentHeaders } from '../server/http/attachment.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { notFound } from '../server/http/refusal.ts';
import { documentTypes } from '../server/files/document-kind.ts';
import { submissionRoutes } from '../server/submission-routes.ts';

export default endpoint(
  ...submissionRoutes({
    kind: 'application',
    path: '/api/contact/applications',
    one: 'an application',
    many: 'applications',
    record: applicationRecord,
    page: applicationPage,
    store: ({ applications }) => applications,
    csv: {
      Phone: ({ phone }) => phone,
      Position: ({ position }) => position,
      Experience: ({ experience }) => experienceLabel(experience),
      'Cover letter': ({ coverLetter }) => coverLetter,
      Resume: ({ resume }) => resume.name,
    },
  }),
  on('PUT', '/api/contact/applications/:id/hold', {
    access: 'admin',
    summary: 'Keeps an application past the time at which it would be deleted',
    input: holdInput,
    output: applicationRecord,
    run: async ({ params, input, services: { stores, now }, session, record }) => {
      const hold = { at: now().toISOString(), by: session.email, reason: input.reason };
      const application = await stores.applications.hold(params.id ?? '', hold);
      if (!application) throw notFound('This application');
      record('put a hold on an application', application.reference);
      return application;
    },
  }),
  on('DELETE', '/api/contact/applications/:id/hold', {
    access: 'admin',
    summary: 'Lets an application be deleted again when it was kept long enough',
    output: applicationRecord,
    run: async ({ params, services: { stores }, record }) => {
      const application = await stores.applications.releaseHold(params.id ?? '');
      if (!application) throw notFound('This application');
      record('released the hold on an application', application.reference);
      return application;
    },
  }),
  on('GET', '/api/contact/applications/:id/resume', {
    access: 'admin',
    summary: 'The resume of an application, to be saved and never shown',
    output: 'application/*',
    run: async ({ params, services: { stores }, record }) => {
      const application = await stores.applications.get(params.id ?? '');
      const bytes = application && (await stores.resumes.get(application.id));
      if (!bytes) throw notFound('This resume');
      const { name, kind } = application.resume;
      record('downloaded a resume', application.reference);
      // The name gets the extension of the detected type.
      const named = name.toLowerCase().endsWith(`.${kind}`) ? name : `${name}.${kind}`;
      // Streamed: a buffered answer of a function holds 6 MB at most, base64 included.
      return new Response(new Blob([bytes]).stream(), {
        headers: { ...attachmentHeaders(named, documentTypes[kind]), 'content-length': String(bytes.byteLength) },
      });
    },
  }),
);

export const config: Config = {
  path: [
    '/api/contact/applications',
    '/api/contact/applications.csv',
    '/api/contact/applications/:id',
    '/api/contact/applications/:id/release',
    '/api/contact/applications/:id/quarantine',
    '/api/contact/applications/:id/handled',
    '/api/contact/applications/:id/note',
    '/api/contact/applications/:id/hold',
    '/api/contact/applications/:id/resend',
    '/api/contact/applications/:id/resume',
  ],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
