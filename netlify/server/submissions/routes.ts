import type * as z from 'zod/mini';
import type { SubmissionPaths } from '../../../src/domain/api-paths.ts';
import type { ApplicationRecord } from '../../../src/domain/application.ts';
import type { Fields } from '../../../src/domain/field.ts';
import type { InquiryRecord } from '../../../src/domain/inquiry.ts';
import { submissionListQuery } from '../../../src/domain/submission.ts';
import { handledInput, noteInput, resendInput } from '../../../src/domain/submission-actions.ts';
import { type Route, on, patternOf } from '../endpoint/endpoint.ts';
import { Refusal, notFound } from '../runtime/refusal.ts';
import { streamedExport } from './exports.ts';
import { channelOf, deliver, deliverAll } from '../outbox/deliver.ts';
import type { Services } from '../services.ts';
import type { SubmissionKind } from '../stores/outbox.ts';
import type { SubmissionVerbs } from '../stores/submissions.ts';
import { submissionsCsv } from './csv.ts';
import { noWebhook } from '../webhook/webhook.ts';

/** Activity of an admin who sent a message about a submission again. */
const sentAgain = {
  firm: 'sent the email to the firm again',
  sender: 'sent the acknowledgment to the visitor again',
  webhook: 'sent the message to the team chat again',
} as const;

interface Kind<T> {
  readonly kind: SubmissionKind;
  readonly paths: SubmissionPaths;
  /** The singular with its article: 'an inquiry'. */
  readonly one: string;
  readonly many: string;
  readonly fields: Fields;
  readonly record: z.ZodMiniType<T>;
  readonly page: z.ZodMiniType;
  readonly store: (stores: Services['stores']) => SubmissionVerbs<T>;
  /** Additional CSV columns by header. They follow the columns of the form fields. */
  readonly csv?: Readonly<Record<string, (record: T) => string>>;
}

/** Returns the admin's routes for inquiries or for applications. */
export function submissionRoutes<T extends InquiryRecord | ApplicationRecord>(of: Kind<T>): Route[] {
  const { kind, paths, one, many, record: output, store } = of;
  const found = (submission: T | null): T => {
    if (!submission) throw notFound(`This ${kind}`);
    return submission;
  };
  return [
    on('GET', paths.list, {
      access: 'admin',
      summary: `The ${many} with one status, newest first by default`,
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
        return await streamedExport((finished) =>
          submissionsCsv(
            many,
            of.fields,
            of.csv ?? {},
            (next) => store(services.stores).list({ ...query, ...next }),
            services.now(),
            finished,
          ),
        );
      },
    }),
    on('GET', patternOf(paths.one, ':id'), {
      access: 'admin',
      summary: `One ${kind}`,
      output,
      run: async ({ params, services: { stores } }) => found(await store(stores).get(params.id ?? '')),
    }),
    on('POST', patternOf(paths.release, ':id'), {
      access: 'admin',
      summary: `Releases ${one} from quarantine and sends its emails`,
      output,
      run: async ({ params, services, waitUntil, record }) => {
        const submission = found(await store(services.stores).release(params.id ?? '', services.now().toISOString()));
        record(`released ${one}`, submission.reference);
        waitUntil(deliverAll(services));
        return submission;
      },
    }),
    on('POST', patternOf(paths.quarantine, ':id'), {
      access: 'admin',
      summary: `Moves ${one} to quarantine`,
      output,
      run: async ({ params, services: { stores }, record }) => {
        const submission = found(await store(stores).quarantine(params.id ?? ''));
        record(`moved ${one} to quarantine`, submission.reference);
        return submission;
      },
    }),
    on('POST', patternOf(paths.handle, ':id'), {
      access: 'admin',
      summary: `Marks ${one} as handled or open`,
      input: handledInput,
      output,
      run: async ({ params, input, services: { stores, now }, record }) => {
        const at = input.handled ? now().toISOString() : null;
        const submission = found(await store(stores).handle(params.id ?? '', at));
        record(`marked ${one} as ${input.handled ? 'handled' : 'open'}`, submission.reference);
        return submission;
      },
    }),
    on('PUT', patternOf(paths.note, ':id'), {
      access: 'admin',
      summary: `Saves a note about ${one} that only admins see`,
      input: noteInput,
      output,
      run: async ({ params, input, services: { stores }, record }) => {
        const submission = found(await store(stores).annotate(params.id ?? '', input.note, input.was));
        if (submission.note !== input.note) {
          throw new Refusal('conflict', 'Someone else changed this note while you were writing.', {
            current: submission,
          });
        }
        record(`changed the note on ${one}`, submission.reference);
        return submission;
      },
    }),
    on('POST', patternOf(paths.resend, ':id'), {
      access: 'admin',
      summary: `Sends an email or chat message about ${one} again and waits for the result`,
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
              ? `This ${kind} is in quarantine. Release it first. Releasing it sends the emails that weren’t sent before.`
              : `This ${kind} arrived before the team chat was connected, so there is no message to send again.`,
          );
        }
        record(sentAgain[audience], submission.reference);
        // The request waits for the delivery, because the response shows the admin whether it succeeded.
        await deliver(channelOf(audience), services);
        return found(await store(stores).get(submission.id));
      },
    }),
  ];
}
