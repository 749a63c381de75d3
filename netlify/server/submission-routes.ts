import type * as z from 'zod/mini';
import type { ApplicationRecord } from '../../src/domain/application.ts';
import type { InquiryRecord } from '../../src/domain/inquiry.ts';
import { handledInput, noteInput, resendInput, submissionListQuery } from '../../src/domain/submission.ts';
import { type Route, on } from './http/endpoint.ts';
import { Refusal, notFound } from './http/refusal.ts';
import { streamedExport } from './exports.ts';
import { channelOf, deliver, deliverAll } from './deliver.ts';
import type { Services } from './services.ts';
import type { SubmissionKind } from './stores/outbox.ts';
import type { SubmissionVerbs } from './stores/submissions.ts';
import { submissionsCsv } from './submissions-csv.ts';
import { noWebhook } from './webhook/webhook.ts';

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
      run: async ({ query, services: { stores, now } }) => {
        const [page, counts] = await Promise.all([
          store(stores).list(query),
          store(stores).counts(now().toISOString()),
        ]);
        return { ...page, counts };
      },
    }),
    on('GET', `${path}.csv`, {
      access: 'admin',
      fresh: true,
      summary: `All ${many} that the query finds, as a file`,
      output: 'text/csv',
      query: submissionListQuery,
      run: async ({ query, services, record }) => {
        // Not the words: they may be a person's address, which an erasure could not take out of the record.
        record(`exported ${many} as CSV`, query.q && 'matching a search');
        return await streamedExport((finished) =>
          submissionsCsv(
            many,
            of.csv,
            (next) => store(services.stores).list({ ...query, ...next }),
            services.now(),
            finished,
          ),
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
      summary: `Takes ${one} out of quarantine; its messages go out`,
      output,
      run: async ({ params, services, waitUntil, record }) => {
        const submission = found(await store(services.stores).release(params.id ?? '', services.now().toISOString()));
        record(`released ${one}`, submission.reference);
        waitUntil(deliverAll(services));
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
        const submission = found(await store(stores).annotate(params.id ?? '', input.note, input.was));
        if (submission.note !== input.note) {
          throw new Refusal('conflict', 'Somebody else changed this note while you were writing.', {
            current: submission,
          });
        }
        record(`changed the note of ${one}`, submission.reference);
        return submission;
      },
    }),
    on('POST', `${path}/:id/resend`, {
      access: 'admin',
      summary: `Sends one of the messages about ${one} again and waits for the outcome`,
      output,
      input: resendInput,
      run: async ({ params, input, services, record }) => {
        const { stores, webhook, now } = services;
        const submission = found(await store(stores).get(params.id ?? ''));
        const audience = input.mail;
        if (audience === 'webhook' && !webhook.configured) throw noWebhook();
        if (!(await stores.outbox.again({ kind, id: submission.id, audience }, now().toISOString()))) {
          throw new Refusal(
            'conflict',
            submission.status === 'quarantine'
              ? `This ${kind} is in quarantine. Release it first; its messages then go out.`
              : `This ${kind} came before there was a webhook, so there is no message to send again.`,
          );
        }
        record(
          audience === 'webhook' ? 'sent the message to the chat again' : `sent the mail to the ${audience} again`,
          submission.reference,
        );
        // The admin waits for the outcome: it is what the button is for.
        await deliver(channelOf(audience), services);
        return found(await store(stores).get(submission.id));
      },
    }),
  ];
}
