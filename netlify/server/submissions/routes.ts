import {
  handledInput,
  keptInput,
  noteInput,
  resendInput,
  submissionListQuery,
} from '../../../src/domain/submission.ts';
import { documentTypes } from '../files/document-kind.ts';
import { type Route, on, patternOf } from '../http/endpoint.ts';
import { attachmentHeaders } from '../http/file-answer.ts';
import { deliver, deliverAll } from '../mail/deliver.ts';
import { type Submission, isApplication } from '../mail/texts.ts';
import { noWebhook } from '../mail/webhook.ts';
import { Refusal, notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import { submissionsCsv } from './csv.ts';
import { type Kind, kinds } from './kinds.ts';

/** Activity of an admin who sent a message about a submission again. */
const sentAgain = {
  firm: 'sent the email to the firm again',
  sender: 'sent the acknowledgment to the visitor again',
  webhook: 'sent the message to the team chat again',
} as const;

/** Returns the admin's routes for inquiries or for applications. */
export function submissionRoutes(kind: Kind): Route[] {
  const { paths, one, many, fields, page: pageOutput, record: output } = kinds[kind];
  /** Returns a submission. @throws {Refusal} `not_found` */
  const find = async ({ id = '' }: Readonly<Record<string, string>>, { stores }: Services): Promise<Submission> => {
    const submission = await stores.submissions.get(kind, id);
    if (!submission) throw notFound(`This ${kind}`);
    return submission;
  };
  return [
    on('GET', paths.list, {
      access: 'admin',
      summary: `The ${many} with one status, newest first by default`,
      output: pageOutput,
      query: submissionListQuery,
      run: async ({ query, services: { stores, now } }) => {
        const [page, counts] = await Promise.all([
          stores.submissions.list(kind, query),
          stores.submissions.counts(kind, now().toISOString()),
        ]);
        return { ...page, counts };
      },
    }),
    on('GET', paths.csv, {
      access: 'admin',
      fresh: true,
      summary: `All ${many} that match the query, as a CSV file`,
      output: 'text/csv',
      query: submissionListQuery,
      run: async ({ query, services, record }) => {
        // The activity log omits the search words. They may be a person's email address, which an erasure could not
        // remove from the log.
        record(`exported ${many} as CSV`, query.q && '(search results only)');
        const list = (next: { limit: number; cursor: string | undefined }) =>
          services.stores.submissions.list(kind, { ...query, ...next });
        return await submissionsCsv(many, fields, list, services.now());
      },
    }),
    on('GET', patternOf(paths.one, ':id'), {
      access: 'admin',
      summary: `One ${kind}`,
      output,
      run: async ({ params, services }) => await find(params, services),
    }),
    on('POST', patternOf(paths.release, ':id'), {
      access: 'admin',
      summary: `Releases ${one} from quarantine and sends its emails`,
      output,
      run: async ({ params, services, waitUntil, record }) => {
        const { id, reference } = await find(params, services);
        const released = await services.stores.submissions.release(id, services.now().toISOString());
        if (released) record(`released ${one}`, reference);
        waitUntil(deliverAll(services));
        return await find(params, services);
      },
    }),
    on('POST', patternOf(paths.quarantine, ':id'), {
      access: 'admin',
      summary: `Moves ${one} to quarantine`,
      output,
      run: async ({ params, services, record }) => {
        const { id, reference } = await find(params, services);
        const moved = await services.stores.submissions.quarantine(id);
        if (moved) record(`moved ${one} to quarantine`, reference);
        return await find(params, services);
      },
    }),
    on('POST', patternOf(paths.handle, ':id'), {
      access: 'admin',
      summary: `Marks ${one} as handled or open`,
      input: handledInput,
      output,
      run: async ({ params, input: { handled }, services, record }) => {
        const { id, reference } = await find(params, services);
        const at = handled ? services.now().toISOString() : null;
        const changed = await services.stores.submissions.handle(id, at);
        if (changed) record(`marked ${one} as ${handled ? 'handled' : 'open'}`, reference);
        return await find(params, services);
      },
    }),
    on('PUT', patternOf(paths.note, ':id'), {
      access: 'admin',
      summary: `Saves a note about ${one} that only admins see`,
      input: noteInput,
      output,
      errors: { conflict: 'Someone else changed the note.' },
      run: async ({ params, input, services, record }) => {
        const { id } = await find(params, services);
        const saved = await services.stores.submissions.annotate(id, input.note, input.was);
        const submission = await find(params, services);
        if (submission.note !== input.note) {
          throw new Refusal('conflict', 'Someone else changed this note while you were writing.', {
            current: submission,
          });
        }
        if (saved) record(`changed the note on ${one}`, submission.reference);
        return submission;
      },
    }),
    on('POST', patternOf(paths.resend, ':id'), {
      access: 'admin',
      summary: `Sends an email or chat message about ${one} again and waits for the result`,
      output,
      errors: { conflict: 'There is no such message, or no mail server or team chat is set up.' },
      input: resendInput,
      run: async ({ params, input: { mail: audience }, services, record }) => {
        const { stores, webhook, now } = services;
        const submission = await find(params, services);
        if (audience === 'webhook' && !webhook.configured) throw noWebhook();
        if (!(await stores.outbox.again(submission.id, audience, now().toISOString()))) {
          throw new Refusal(
            'conflict',
            submission.status === 'quarantine'
              ? `This ${kind} is in quarantine. Release it first. Releasing it sends the emails that weren’t sent before.`
              : `This ${kind} arrived before the team chat was connected, so there is no message to send again.`,
          );
        }
        record(sentAgain[audience], submission.reference);
        // The request waits for the delivery, because the response shows the admin whether it succeeded.
        await deliver(audience === 'webhook' ? 'webhook' : 'mail', services);
        return await find(params, services);
      },
    }),
  ];
}

/** The admin's routes that only applications have. */
export const applicationRoutes: readonly Route[] = [
  on('POST', patternOf(kinds.application.paths.keep, ':id'), {
    access: 'admin',
    summary: 'Keeps an application after its deletion date, or allows its deletion again',
    input: keptInput,
    output: kinds.application.record,
    run: async ({ params: { id = '' }, input: { kept }, services: { stores }, record }) => {
      const changed = await stores.submissions.keep(id, kept);
      const application = await stores.submissions.get('application', id);
      if (!application) throw notFound('This application');
      const action = kept
        ? 'chose to keep an application past its deletion date'
        : 'allowed the deletion of an application';
      if (changed) record(action, application.reference);
      return application;
    },
  }),
  on('GET', patternOf(kinds.application.paths.resume, ':id'), {
    access: 'admin',
    summary: 'The resume of an application, as a download',
    output: 'application/*',
    run: async ({ params: { id = '' }, services: { stores }, record }) => {
      const application = await stores.submissions.get('application', id);
      const bytes = application && (await stores.resumes.get(id));
      if (!bytes || !isApplication(application)) throw notFound('This resume');
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
];
