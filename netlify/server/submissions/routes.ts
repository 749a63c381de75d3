import * as z from 'zod/mini';
import {
  handledInput,
  keptInput,
  noteInput,
  resendInput,
  submissionListQuery,
} from '../../../src/domain/submissions/submission.ts';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { personInput, personalData, personalDataCopy } from '../../../src/domain/submissions/personal-data.ts';
import {
  type Submission,
  type SubmissionKind,
  isApplication,
  submissionKinds as kinds,
} from '../../../src/domain/submissions/submission-kinds.ts';
import { documentTypes } from '../files/document-kind.ts';
import { type Call, type Route, on, patternOf } from '../http/endpoint.ts';
import { attachmentHeaders } from '../http/file-answer.ts';
import { deliver, deliverAll } from '../mail/deliver.ts';
import { noMailServer } from '../mail/mailer.ts';
import { noWebhook } from '../mail/webhook.ts';
import { Refusal, notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import { inExportTurn, submissionsCsv } from './csv.ts';
import { copyPersonalData, erasePersonalData, findPersonalData } from './personal-data.ts';

/** Activity of an admin who sent a message about a submission again. */
const sentAgain = {
  firm: 'sent the email to the firm again',
  sender: 'sent the acknowledgment to the sender again',
  webhook: 'sent the message to the team chat again',
} as const;

/** The part of a request that names a submission, and that records a change in the activity log. */
type Asked = Pick<Call, 'params' | 'services' | 'record'>;

/** Returns the admin's routes for inquiries or for applications. */
export function submissionRoutes(kind: SubmissionKind): Route[] {
  const { paths, many, fields, page: pageOutput, record: output } = kinds[kind];
  const one = `an ${kind}`;
  /** Returns the submission of a request. @throws {Refusal} `not_found` */
  const find = async ({ params: { id = '' }, services }: Asked): Promise<Submission> => {
    const submission = await services.stores.submissions.get(kind, id);
    if (!submission) throw notFound(`This ${kind}`);
    return submission;
  };
  /**
   * Changes a submission and returns it.
   * @param action the entry for the activity log, if `apply` returns that anything changed.
   */
  const change = async (
    call: Asked,
    action: string,
    apply: (stored: Services['stores']['submissions'], id: string, at: string) => Promise<boolean>,
  ): Promise<Submission> => {
    const { stores, now } = call.services;
    const { id, reference } = await find(call);
    if (await apply(stores.submissions, id, now().toISOString())) call.record(action, reference);
    return await find(call);
  };
  const routes = [
    on('GET', paths.list, {
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
      fresh: true,
      summary: `All ${many} that match the query, as a CSV file`,
      output: 'text/csv',
      query: z.omit(submissionListQuery, { limit: true, cursor: true }),
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
      summary: `One ${kind}`,
      output,
      run: find,
    }),
    on('POST', patternOf(paths.release, ':id'), {
      summary: `Releases ${one} from quarantine, and sends its unsent emails and chat message`,
      output,
      run: async (call) => {
        const released = await change(call, `released ${one}`, (stored, id, at) => stored.release(id, at));
        call.waitUntil(deliverAll(call.services));
        return released;
      },
    }),
    on('POST', patternOf(paths.quarantine, ':id'), {
      summary: `Moves ${one} to quarantine`,
      output,
      run: (call) => change(call, `moved ${one} to quarantine`, (stored, id) => stored.quarantine(id)),
    }),
    on('POST', patternOf(paths.handle, ':id'), {
      summary: `Marks ${one} as handled, or reopens ${one}`,
      input: handledInput,
      output,
      run: (call) => {
        const { handled } = call.input;
        const action = handled ? `marked ${one} as handled` : `reopened ${one}`;
        return change(call, action, (stored, id, at) => stored.handle(id, handled ? at : null));
      },
    }),
    on('PUT', patternOf(paths.note, ':id'), {
      summary: `Saves a note about ${one} that only admins see`,
      input: noteInput,
      output,
      errors: { conflict: 'Someone else changed the note.' },
      run: async (call) => {
        const { input, services, record } = call;
        const { id } = await find(call);
        const saved = await services.stores.submissions.annotate(id, input.note, input.was);
        const submission = await find(call);
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
      summary: `Sends an email or chat message about ${one} again and waits for the result`,
      output,
      errors: { conflict: 'There is no such message, or no mail server or team chat is set up.' },
      input: resendInput,
      run: async (call) => {
        const { services, record } = call;
        const { mail: audience } = call.input;
        const { stores, mailer, webhook, now } = services;
        const submission = await find(call);
        if (audience === 'webhook' && !webhook.configured) throw noWebhook();
        if (audience !== 'webhook' && !mailer.configured) throw noMailServer();
        if (!(await stores.outbox.again(submission.id, audience, now().toISOString()))) {
          throw new Refusal(
            'conflict',
            submission.status === 'quarantine'
              ? `This ${kind} is in quarantine. Release it first, and the site sends any unsent messages about it.`
              : `This ${kind} arrived before the team chat was connected, so there is no message to send again.`,
          );
        }
        record(sentAgain[audience], submission.reference);
        // The request waits for the delivery, because the response shows the admin whether it succeeded.
        await deliver(audience === 'webhook' ? 'webhook' : 'mail', services);
        return await find(call);
      },
    }),
  ];
  if (kind === 'inquiry') return routes;
  return [
    ...routes,
    on('POST', patternOf(kinds.application.paths.keep, ':id'), {
      summary: 'Keeps an application after its deletion date, or allows its deletion again',
      input: keptInput,
      output,
      run: (call) => {
        const { kept } = call.input;
        const action = kept
          ? 'chose to keep an application after its deletion date'
          : 'allowed the deletion of an application';
        return change(call, action, (stored, id) => stored.keep(id, kept));
      },
    }),
    on('GET', patternOf(kinds.application.paths.resume, ':id'), {
      summary: 'The resume of an application, as a download',
      output: 'application/*',
      run: async (call) => {
        const application = await find(call);
        const bytes = await call.services.stores.resumes.get(application.id);
        if (!bytes || !isApplication(application)) throw notFound('This resume');
        const { name, kind: ending } = application.resume;
        call.record('downloaded a resume', application.reference);
        // The downloaded file gets the extension of the detected type, whatever the applicant named it.
        const named = name.toLowerCase().endsWith(`.${ending}`) ? name : `${name}.${ending}`;
        // The file is streamed, because Netlify limits a function's buffered response to 6 MB after base64 encoding.
        return new Response(new Blob([bytes]).stream(), {
          headers: { ...attachmentHeaders(named, documentTypes[ending]), 'content-length': String(bytes.byteLength) },
        });
      },
    }),
  ];
}

/** The routes that show, copy and erase the data of a person. */
export const personRoutes: readonly Route[] = [
  // Logs may contain the query of a URL, so the email address is in the body.
  on('POST', apiPaths.personalData, {
    summary: 'The submissions of a person, by email address',
    input: personInput,
    output: personalData,
    run: ({ input, services }) => findPersonalData(input.email, services),
  }),
  on('POST', apiPaths.personalDataCopy, {
    fresh: true,
    summary: 'A file with a copy of the data that the site has about a person',
    input: personInput,
    output: personalDataCopy,
    run: async ({ input, services, record }) => {
      const copy = await inExportTurn(() => copyPersonalData(input.email, services));
      record(
        "saved a copy of a person's data",
        [...copy.inquiries, ...copy.applications].map(({ reference }) => reference).join(', '),
      );
      return new Response(JSON.stringify(copy, null, 2), {
        headers: attachmentHeaders('personal-data.json', 'application/json; charset=utf-8'),
      });
    },
  }),
  on('POST', apiPaths.erasePersonalData, {
    fresh: true,
    summary: 'Erases all data about a person: inquiries, applications, resumes and emails',
    input: personInput,
    output: personalData,
    run: async ({ input, services, record }) => {
      const erased = await erasePersonalData(input.email, services);
      // The activity log entry does not name the person, because it must not contain erased data.
      record('erased a person’s data', [...erased.inquiries, ...erased.applications].join(', '));
      return erased;
    },
  }),
];
