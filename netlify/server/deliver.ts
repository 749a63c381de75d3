import { logError } from './log.ts';
import { sendLetter } from './mail/letters.ts';
import type { Services } from './services.ts';
import type { Audience, Channel, DueMessage } from './stores/outbox.ts';
import { postNotice } from './webhook/notice.ts';

export const channelOf = (audience: Audience): Channel => (audience === 'webhook' ? 'webhook' : 'mail');

export function isConfigured(channel: Channel, { mailer, webhook }: Services): boolean {
  return channel === 'mail' ? mailer.configured : webhook.configured;
}

/** Sends one message. @returns false where what it is about is gone. @throws where it is not taken. */
const senders: Readonly<Record<Channel, (message: DueMessage, services: Services) => Promise<boolean>>> = {
  mail: sendLetter,
  webhook: postNotice,
};

const minute = 60_000;
/** After a failed try: 1, 5, 15 and 60 minutes, then hourly for a day (decisions, 'Addresses and names'). */
const retryAfterMs = [1, 5, 15, 60].map((minutes) => minutes * minute);
const giveUpAfterMs = 24 * 60 * minute;
/** Longer than a mail server or a webhook may take for a batch, so that nobody is sent a message twice. */
const leaseMs = 10 * minute;
const batch = 10;
/** After so long a run leaves the rest to the next minute's: a server that lets it wait must not keep the minute's other work waiting. */
const runMs = 30_000;

interface Run {
  again: boolean;
  done: Promise<void>;
}

const running: Readonly<Record<Channel, WeakMap<Services, Run>>> = { mail: new WeakMap(), webhook: new WeakMap() };

/** {@link deliver} by every way. */
export async function deliverAll(services: Services): Promise<void> {
  await Promise.all([deliver('mail', services), deliver('webhook', services)]);
}

/**
 * Sends the messages that are due by one way, all of them unless it takes long. Calls at the same time share one run; one that
 * comes late makes it look again. Never throws: what went wrong stands in the outbox, or in the log.
 */
export function deliver(channel: Channel, services: Services): Promise<void> {
  if (!isConfigured(channel, services)) return Promise.resolve();
  const current = running[channel].get(services);
  if (current) {
    current.again = true;
    return current.done;
  }
  const run = { again: true, done: Promise.resolve() };
  running[channel].set(services, run);
  run.done = (async () => {
    const until = services.now().getTime() + runMs;
    try {
      while (run.again && services.now().getTime() < until) {
        run.again = false;
        if (await deliverBatch(channel, services)) run.again = true;
      }
    } catch (error) {
      logError('outbox not reachable', { channel }, error);
    } finally {
      running[channel].delete(services);
    }
  })();
  return run.done;
}

/** @returns whether there may be more. */
async function deliverBatch(channel: Channel, services: Services): Promise<boolean> {
  const now = services.now();
  const due = await services.stores.outbox.take(
    channel,
    now.toISOString(),
    new Date(now.getTime() + leaseMs).toISOString(),
    batch,
  );
  await Promise.all(due.map((message) => deliverOne(message, senders[channel], services)));
  return due.length === batch;
}

async function deliverOne(message: DueMessage, send: (typeof senders)[Channel], services: Services): Promise<void> {
  const { stores, now } = services;
  try {
    if (!(await send(message, services))) return;
  } catch (error) {
    const at = now();
    const reason = error instanceof Error ? error.message : String(error);
    await stores.outbox.refused(message, reason.slice(0, 500), at.toISOString(), nextTry(message, at));
    const { kind, id, audience, attempts } = message;
    logError(`${audience === 'webhook' ? 'message' : 'mail'} not sent`, { [kind]: id, audience, attempt: attempts });
    return;
  }
  await stores.outbox.sent(message, now().toISOString());
}

function nextTry(message: DueMessage, at: Date): string | null {
  if (at.getTime() - Date.parse(message.firstTriedAt) >= giveUpAfterMs) return null;
  const wait = retryAfterMs[message.attempts - 1] ?? 60 * minute;
  return new Date(at.getTime() + wait).toISOString();
}
