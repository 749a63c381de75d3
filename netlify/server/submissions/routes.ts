import type * as z from 'zod/mini';
import type { SubmissionPaths } from '../../../src/domain/api-paths.ts';
import type { Fields } from '../../../src/domain/field.ts';
import { submissionListQuery, handledInput, noteInput, resendInput } from '../../../src/domain/submission.ts';
import { type Route, on, patternOf } from '../http/endpoint.ts';
import { deliver, deliverAll } from '../mail/deliver.ts';
import type { Submission } from '../mail/texts.ts';
import { noWebhook } from '../mail/webhook.ts';
import { Refusal, notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import { submissionsCsv } from './csv.ts';
import type { SubmissionStore } from './store.ts';

/** Activity of an admin who sent a message about a submission again. */
const sentAgain = {
  firm: 'sent the email to the firm again',
  sender: 'sent the acknowledgment to the visitor again',
  webhook: 'sent the message to the team chat again',
} as const;

interface Kind<T> {
  readonly kind: 'inquiry' | 'application';
  readonly paths: SubmissionPaths;
  /** The singular with its article: 'an inquiry'. */
  readonly one: string;
  readonly many: string;
  readonly fields: Fields;
  readonly record: z.ZodMiniType<T>;
  readonly page: z.ZodMiniType;
  readonly store: (stores: Services['stores']) => SubmissionStore<T>;
}

/** Returns the admin's routes for inquiries or for applications. */
export function submissionRoutes<T extends Submission>(of: Kind<T>): Route[] {
  const { kind, paths, one, many, record: output, store } = of;
  /** Returns a submission. @throws {Refusal} `not_found` */
  const find = async (id: string | undefined, { stores }: Services): Promise<T> => {
    const submission = await store(stores).get(id ?? '');
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
        const list = (next: { limit: number; cursor: string | undefined }) =>
          store(services.stores).list({ ...query, ...next });
        return await submissionsCsv(many, of.fields, list, services.now());
      },
    }),
    on('GET', patternOf(paths.one, ':id'), {
      access: 'admin',
      summary: `One ${kind}`,
      output,
      run: async ({ params, services }) => await find(params.id, services),
    }),
    on('POST', patternOf(paths.release, ':id'), {
      access: 'admin',
      summary: `Releases ${one} from quarantine and sends its emails`,
      output,
      run: async ({ params, services, waitUntil, record }) => {
        const released = await store(services.stores).release(params.id ?? '', services.now().toISOString());
        const submission = await find(params.id, services);
        if (released) record(`released ${one}`, submission.reference);
        waitUntil(deliverAll(services));
        return submission;
      },
    }),
    on('POST', patternOf(paths.quarantine, ':id'), {
      access: 'admin',
      summary: `Moves ${one} to quarantine`,
      output,
      run: async ({ params, services, record }) => {
        const moved = await store(services.stores).quarantine(params.id ?? '');
        const submission = await find(params.id, services);
        if (moved) record(`moved ${one} to quarantine`, submission.reference);
        return submission;
      },
    }),
    on('POST', patternOf(paths.handle, ':id'), {
      access: 'admin',
      summary: `Marks ${one} as handled or open`,
      input: handledInput,
      output,
      run: async ({ params, input: { handled }, services, record }) => {
        const at = handled ? services.now().toISOString() : null;
        const changed = await store(services.stores).handle(params.id ?? '', at);
        const submission = await find(params.id, services);
        if (changed) record(`marked ${one} as ${handled ? 'handled' : 'open'}`, submission.reference);
        return submission;
      },
    }),
    on('PUT', patternOf(paths.note, ':id'), {
      access: 'admin',
      summary: `Saves a note about ${one} that only admins see`,
      input: noteInput,
      output,
      errors: { conflict: 'Someone else changed the note.' },
      run: async ({ params, input, services, record }) => {
        const saved = await store(services.stores).annotate(params.id ?? '', input.note, input.was);
        const submission = await find(params.id, services);
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
        const submission = await find(params.id, services);
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
        return await find(submission.id, services);
      },
    }),
  ];
}
