import type * as z from 'zod/mini';
import type { ApplicationRecord } from '../../src/domain/application.ts';
import type { InquiryRecord } from '../../src/domain/inquiry.ts';
import { handledInput, noteInput, resendInput, submissionListQuery } from '../../src/domain/submission.ts';
import { type Route, on } from './http/endpoint.ts';
import { Refusal, notFound } from './http/refusal.ts';
import { deliverMail } from './mail/deliver.ts';
import type { Services } from './services.ts';
import type { SubmissionKind } from './stores/outbox.ts';
import type { SubmissionVerbs } from './stores/submissions.ts';
import { submissionsCsv } from './submissions-csv.ts';

interface Kind<T> {
  readonly kind: SubmissionKind;
  /** `/api/contact/submissions` or `/api/contact/applications`. */
  readonly path: string;
  /** With its article: 'an inquiry'. */
  readonly one: string;
  readonly many: string;
  readonly record: z.ZodMiniType<T>;
  readonly page: z.ZodMiniType;
  readonly store: (stores: Services['stores']) => SubmissionVerbs<T>;
  /** Columns of the export beside those that every submission has. */
  readonly csv: Readonly<Record<string, (record: T) => string>>;
}

/** What an admin does with inquiries and with applications, at the addresses of either. */
export function submissionRoutes<T extends InquiryRecord | ApplicationRecord>(of: Kind<T>): Route[] {
  const { kind, path, one, many, record: output, store } = of;
  const found = (submission: T | null): T => {
    if (!submission) throw notFound(`This ${kind}`);
    return submission;
  };
  return [
    on('GET', path, {
      access: 'admin',
      summary: `The ${many} of one place, newest first unless asked otherwise`,
      output: of.page,
      query: submissionListQuery,
      run: async ({ query, services: { stores } }) => {
        const [page, counts] = await Promise.all([store(stores).list(query), store(stores).counts()]);
        return { ...page, counts };
      },
    }),
    on('GET', `${path}.csv`, {
      access: 'admin',
      summary: `All ${many} that the query finds, as a file`,
      output: 'text/csv',
      query: submissionListQuery,
      run: async ({ query, services, record }) => {
        record(`exported ${many} as CSV`, query.q && `matching "${query.q}"`);
        return submissionsCsv(
          many,
          of.csv,
          (next) => store(services.stores).list({ ...query, ...next }),
          services.now(),
        );
      },
    }),
    on('GET', `${path}/:id`, {
      access: 'admin',
      summary: `One ${kind}`,
      output,
      run: async ({ params, services: { stores } }) => found(await store(stores).get(params.id ?? '')),
    }),
    on('POST', `${path}/:id/release`, {
      access: 'admin',
      summary: `Takes ${one} out of quarantine; its mails go out`,
      output,
      run: async ({ params, services, waitUntil, record }) => {
        const submission = found(await store(services.stores).release(params.id ?? ''));
        record(`released ${one}`, submission.reference);
        waitUntil(deliverMail(services));
        return submission;
      },
    }),
    on('POST', `${path}/:id/quarantine`, {
      access: 'admin',
      summary: `Puts ${one} into quarantine`,
      output,
      run: async ({ params, services: { stores }, record }) => {
        const submission = found(await store(stores).quarantine(params.id ?? ''));
        record(`put ${one} into quarantine`, submission.reference);
        return submission;
      },
    }),
    on('POST', `${path}/:id/handled`, {
      access: 'admin',
      summary: `Marks ${one} as handled, or as open again`,
      input: handledInput,
      output,
      run: async ({ params, input, services: { stores, now }, record }) => {
        const at = input.handled ? now().toISOString() : null;
        const submission = found(await store(stores).handle(params.id ?? '', at));
        record(`marked ${one} as ${input.handled ? 'handled' : 'open'}`, submission.reference);
        return submission;
      },
    }),
    on('PUT', `${path}/:id/note`, {
      access: 'admin',
      summary: `Keeps a note about ${one} that only admins see`,
      input: noteInput,
      output,
      run: async ({ params, input, services: { stores }, record }) => {
        const submission = found(await store(stores).annotate(params.id ?? '', input.note));
        record(`changed the note of ${one}`, submission.reference);
        return submission;
      },
    }),
    on('POST', `${path}/:id/resend`, {
      access: 'admin',
      summary: `Sends one of the mails about ${one} again and waits for the mail server`,
      output,
      input: resendInput,
      run: async ({ params, input, services, record }) => {
        const { stores, now } = services;
        const submission = found(await store(stores).get(params.id ?? ''));
        const mail = { kind, id: submission.id, audience: input.mail };
        if (!(await stores.outbox.again(mail, now().toISOString()))) {
          throw new Refusal('conflict', `This ${kind} is in quarantine. Release it first; its mail then goes out.`);
        }
        record(`sent the mail to the ${input.mail} again`, submission.reference);
        // The admin waits for the outcome: it is what the button is for.
        await deliverMail(services);
        return found(await store(stores).get(submission.id));
      },
    }),
  ];
}
