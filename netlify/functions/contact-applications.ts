import { apiPaths } from '../../src/domain/api-paths.ts';
import { applicationFields, applicationPage, applicationRecord } from '../../src/domain/application.ts';
import { keptInput } from '../../src/domain/submission.ts';
import { attachmentHeaders } from '../server/http/file-answer.ts';
import { endpoint, on, patternOf } from '../server/http/endpoint.ts';
import { notFound } from '../server/refusal.ts';
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
  }),
  on('POST', patternOf(apiPaths.applications.keep, ':id'), {
    access: 'admin',
    summary: 'Keeps an application after its deletion date, or allows its deletion again',
    input: keptInput,
    output: applicationRecord,
    run: async ({ params, input: { kept }, services: { stores }, record }) => {
      const changed = await stores.applications.keep(params.id ?? '', kept);
      const application = await stores.applications.get(params.id ?? '');
      if (!application) throw notFound('This application');
      const action = kept
        ? 'chose to keep an application past its deletion date'
        : 'allowed the deletion of an application';
      if (changed) record(action, application.reference);
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
