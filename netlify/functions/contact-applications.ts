import { apiPaths } from '../../src/domain/api-paths.ts';
import { applicationFields, applicationPage, applicationRecord } from '../../src/domain/application.ts';
import { holdInput } from '../../src/domain/submission-actions.ts';
import { attachmentHeaders } from '../server/http/attachment.ts';
import { endpoint, on, patternOf } from '../server/endpoint/endpoint.ts';
import { notFound } from '../server/runtime/refusal.ts';
import { documentTypes } from '../server/files/document-kind.ts';
import { submissionRoutes } from '../server/submissions/routes.ts';

export default endpoint(
  { requestsAMinute: 600 },
  ...submissionRoutes({
    kind: 'application',
    paths: apiPaths.applications,
    one: 'an application',
    many: 'applications',
    fields: applicationFields,
    record: applicationRecord,
    page: applicationPage,
    store: ({ applications }) => applications,
    csv: { Resume: ({ resume }) => resume.name },
  }),
  on('PUT', patternOf(apiPaths.applications.hold, ':id'), {
    access: 'admin',
    summary: 'Keeps an application after its deletion date',
    input: holdInput,
    output: applicationRecord,
    run: async ({ params, input, services: { stores, now }, session, record }) => {
      const hold = { at: now().toISOString(), by: session.email, reason: input.reason };
      const application = await stores.applications.hold(params.id ?? '', hold);
      if (!application) throw notFound('This application');
      record('chose to keep an application past its deletion date', application.reference);
      return application;
    },
  }),
  on('DELETE', patternOf(apiPaths.applications.hold, ':id'), {
    access: 'admin',
    summary: 'Allows the deletion of an application that is kept after its deletion date',
    output: applicationRecord,
    run: async ({ params, services: { stores }, record }) => {
      const application = await stores.applications.releaseHold(params.id ?? '');
      if (!application) throw notFound('This application');
      record('allowed the deletion of an application', application.reference);
      return application;
    },
  }),
  on('GET', patternOf(apiPaths.applications.resume, ':id'), {
    access: 'admin',
    summary: 'The resume of an application, as a download',
    output: 'application/*',
    run: async ({ params, services: { stores }, record }) => {
      const application = await stores.applications.get(params.id ?? '');
      const bytes = application && (await stores.resumes.get(application.id));
      if (!bytes) throw notFound('This resume');
      const { name, kind } = application.resume;
      record('downloaded a resume', application.reference);
      // The downloaded file gets the extension of the detected type, whatever the applicant named it.
      const named = name.toLowerCase().endsWith(`.${kind}`) ? name : `${name}.${kind}`;
      // The file is streamed, because Netlify limits a function's buffered response to 6 MB after base64 encoding.
      return new Response(new Blob([bytes]).stream(), {
        headers: { ...attachmentHeaders(named, documentTypes[kind]), 'content-length': String(bytes.byteLength) },
      });
    },
  }),
);
