import { logError } from '../runtime/log.ts';
import { sendEmail } from './send-email.ts';
import { refusalOf } from '../mail/mail-refusal.ts';
import type { Services } from '../services.ts';
import type { Audience, Channel, ChannelFailure, DueMessage } from '../stores/outbox.ts';
import { postChatMessage } from './post-chat-message.ts';
import type { Outcome } from './outcome.ts';

export const channelOf = (audience: Audience): Channel => (audience === 'webhook' ? 'webhook' : 'mail');

export function isConfigured(channel: Channel, { mailer, webhook }: Services): boolean {
  return channel === 'mail' ? mailer.configured : webhook.configured;
}

/** Functions that send one message. @throws if the message is not accepted. */
const senders: Readonly<
  Record<Channel, (message: DueMessage, services: Services, signal: AbortSignal) => Promise<Outcome>>
> = { mail: sendEmail, webhook: postChatMessage };

const minute = 60_000;
/**
 * The delays before the first four retries. Later retries are hourly, until 24 hours after the first try
 * (docs/product.md#email-and-chat).
 */
const retryAfterMs = [1, 5, 15, 60].map((minutes) => minutes * minute);
const giveUpAfterMs = 24 * 60 * minute;
/**
 * The time for which a message is reserved for one instance. It is longer than {@link runMs}, so no other instance
 * sends the same message. If the instance is killed, another one can send the message when this time is over.
 */
const leaseMs = minute;
const batch = 10;
/** The time limit of one call to {@link deliver}. Netlify stops a scheduled function after 30 seconds. */
const runMs = 20_000;
/** If less time than this remains, {@link deliver} starts no further batch. */
const shortestMs = 1_000;

interface Run {
  again: boolean;
  done: Promise<void>;
}

const running: Readonly<Record<Channel, WeakMap<Services, Run>>> = { mail: new WeakMap(), webhook: new WeakMap() };

/** Calls {@link deliver} for both channels. */
export async function deliverAll(services: Services, withinMs = runMs): Promise<void> {
  await Promise.all([deliver('mail', services, withinMs), deliver('webhook', services, withinMs)]);
}

/**
 * Sends as many due messages of one channel as the time allows. A call while an earlier call is still sending starts
 * nothing new. The earlier call then looks for due messages again before it ends, and both calls end together. Never
 * throws, because errors are written to the outbox or the log.
 */
export function deliver(channel: Channel, services: Services, withinMs = runMs): Promise<void> {
  if (!isConfigured(channel, services)) return Promise.resolve();
  const current = running[channel].get(services);
  if (current) {
    current.again = true;
    return current.done;
  }
  const run = { again: true, done: Promise.resolve() };
  running[channel].set(services, run);
  run.done = (async () => {
    // `performance.now()` is used because the system clock may be changed while messages are sent.
    const until = performance.now() + withinMs;
    try {
      while (run.again && until - performance.now() >= Math.min(shortestMs, withinMs / 2)) {
        run.again = false;
        if (await deliverBatch(channel, services, until - performance.now())) run.again = true;
      }
    } catch (error) {
      logError('outbox not reachable', { channel }, error);
    } finally {
      running[channel].delete(services);
    }
  })();
  return run.done;
}

/** Sends one batch. @returns whether more messages may be due. */
async function deliverBatch(channel: Channel, services: Services, withinMs: number): Promise<boolean> {
  const now = services.now();
  const due = await services.stores.outbox.take(
    channel,
    now.toISOString(),
    new Date(now.getTime() + leaseMs).toISOString(),
    batch,
  );
  const signal = AbortSignal.timeout(Math.ceil(withinMs));
  await Promise.all(due.map((message) => deliverOne(channel, message, services, signal)));
  return due.length === batch;
}

async function deliverOne(
  channel: Channel,
  message: DueMessage,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const { stores, now } = services;
  let outcome: Outcome;
  try {
    outcome = await senders[channel](message, services, signal);
  } catch (error) {
    const at = now();
    const reason = error instanceof Error ? error.message : String(error);
    const { permanent, failure } = judge(channel, message, error);
    const dueAt = permanent ? null : nextTry(message, at);
    await stores.outbox.refused(channel, message, {
      error: reason.slice(0, 500),
      at: at.toISOString(),
      dueAt,
      failure,
    });
    const { kind, id, audience, attempts } = message;
    const fields = { [kind]: id, audience, attempt: attempts, ...(dueAt === null && { givenUp: true }) };
    logError(channel === 'webhook' ? 'chat message not sent' : 'email not sent', fields);
    return;
  }
  if (outcome === 'gone') return;
  if (outcome === 'sent') await stores.outbox.sent(channel, message, now().toISOString());
  else await stores.outbox.skipped(message, outcome.skipped, now().toISOString());
}

/**
 * Decides after an error whether the message is given up (`permanent`), and whether the error counts as a failure of
 * the channel, which the site status reports. A permanent refusal of an email does not count, because it concerns only
 * that email. A temporary refusal of a recipient counts, except if the recipient is a visitor.
 */
function judge(
  channel: Channel,
  { audience }: DueMessage,
  error: unknown,
): { permanent: boolean; failure: ChannelFailure | null } {
  if (channel === 'webhook') return { permanent: false, failure: { unreachable: false } };
  const refusal = refusalOf(error);
  const itsOwn = refusal.permanent || (refusal.ofRecipient && audience === 'sender');
  return { permanent: refusal.permanent, failure: itsOwn ? null : { unreachable: refusal.unreachable } };
}

function nextTry(message: DueMessage, at: Date): string | null {
  if (at.getTime() - Date.parse(message.firstTriedAt) >= giveUpAfterMs) return null;
  const wait = retryAfterMs[message.attempts - 1] ?? 60 * minute;
  return new Date(at.getTime() + wait).toISOString();
}

/**
 * If the mail server was unreachable, checks whether it works again, and then makes the waiting emails due. Called
 * every minute, because some of these emails would otherwise wait up to an hour for their next retry.
 */
export async function resumeMail(services: Services): Promise<void> {
  const { mailer, stores, now } = services;
  if (!mailer.configured) return;
  const { failingSince, unreachable } = await stores.outbox.channel('mail');
  if (failingSince === null || !unreachable) return;
  const back = await mailer.verify().then(
    () => true,
    () => false,
  );
  if (back) await stores.outbox.tryNow('mail', now().toISOString());
}

/** Records that a test message was accepted, which ends an outage. The next call to {@link deliver} sends the rest. */
export async function noteSuccess(channel: Channel, { stores, now }: Services): Promise<void> {
  await stores.outbox.channelWorks(channel, now().toISOString());
}
