import { logError } from '../log.ts';
import type { Services } from '../services.ts';
import { type Channel, singlesAnHour } from './add-messages.ts';
import { refusalOf } from './mailer.ts';
import type { DueMessage, FailedTry } from './outbox.ts';
import {
  chatText,
  digestOf,
  emailToFirm,
  emailToSender,
  isApplication,
  noticeChatText,
  noticeEmail,
  subjectOf,
} from './texts.ts';

export function isConfigured(channel: Channel, { mailer, webhook }: Services): boolean {
  return channel === 'mail' ? mailer.configured : webhook.configured;
}

const minute = 60_000;
const hour = 60 * minute;
/**
 * The delays before the first four retries. Later retries are hourly, until 24 hours after the first try
 * (docs/product.md#email-and-chat).
 */
const retryAfterMs = [1, 5, 15, 60].map((minutes) => minutes * minute);
const giveUpAfterMs = 24 * hour;
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

/** Messages that are sent as one: a single message, or the messages of a digest. */
type Group = readonly [DueMessage, ...DueMessage[]];

interface Run {
  again: boolean;
  done: Promise<void>;
}

const running: Readonly<Record<Channel, WeakMap<Services, Run>>> = { mail: new WeakMap(), webhook: new WeakMap() };

/** Calls {@link deliver} for both channels. */
export async function deliverAll(services: Services): Promise<void> {
  await Promise.all([deliver('mail', services), deliver('webhook', services)]);
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
  const { stores, now } = services;
  const at = now();
  const leasedUntil = new Date(at.getTime() + leaseMs).toISOString();
  const due = await stores.outbox.take(channel, at.toISOString(), leasedUntil, batch);
  const signal = AbortSignal.timeout(Math.ceil(withinMs));
  const deliverOne = async (messages: Group): Promise<boolean> => {
    try {
      await send(messages, services, signal);
    } catch (error) {
      await noteFailure(channel, messages, error, services);
      return false;
    }
    return await stores.outbox.sent(channel, messages, now().toISOString());
  };
  const others = await Promise.all(due.map(deliverOne));
  return due.length >= batch || others.includes(true);
}

/** Sends a message, or the digest of several. @throws if the mail server or the chat does not accept it. */
async function send(messages: Group, services: Services, signal: AbortSignal): Promise<void> {
  const { stores, mailer, webhook, siteUrl } = services;
  const [first] = messages;
  const { id, audience, recipient } = first;
  const submissions = await Promise.all(
    messages.map(async ({ submission }) => submission && (await stores.submissions.get(null, submission))),
  );
  const subjects = messages.map(({ subject }, index) => (submissions[index] ? subjectOf(submissions[index]) : subject));
  const isDigest = messages.length > 1;
  const notice = isDigest ? digestOf(subjects.filter(Boolean), singlesAnHour) : first.submission === null && first;
  const submission = submissions[0];
  // If the submission was erased after the message was taken, its messages were erased with it.
  if (!notice && !submission) return;
  if (audience === 'webhook') {
    const text = notice ? noticeChatText(notice, siteUrl) : submission && chatText(submission, siteUrl);
    if (text) await webhook.post(text, id, signal);
    return;
  }
  const mailbox = submission && isApplication(submission) ? mailer.hrAddress : mailer.firmAddress;
  if (notice) {
    await mailer.send(noticeEmail(notice, siteUrl), { id, to: audience === 'admin' ? recipient : mailbox, signal });
  } else if (submission && audience === 'firm') {
    const replyTo = { name: submission.fullName, address: submission.email };
    await mailer.send(emailToFirm(submission, siteUrl), { id, to: mailbox, replyTo, signal });
  } else if (submission) {
    await mailer.send(emailToSender(submission), { id, to: submission.email, replyTo: mailbox, signal });
  }
}

async function noteFailure(channel: Channel, messages: Group, error: unknown, services: Services): Promise<void> {
  const [{ submission, audience, attempts }] = messages;
  const at = services.now();
  const failed = failedTry(messages[0], error, at);
  await services.stores.outbox.refused(channel, messages, at.toISOString(), failed);
  logError(channel === 'webhook' ? 'chat message not sent' : 'email not sent', {
    submission: submission ?? 'none',
    audience,
    attempt: attempts,
    ...(failed.dueAt === null && { givenUp: true }),
  });
}

/**
 * Interprets an error. A permanent refusal may be a mistake on the server, such as a suspended account, so the email is
 * tried again after an hour. Only an email to the firm is then tried for a day, because a server that gets many emails
 * for unknown addresses may block the site. A permanent refusal concerns only the email, and a temporary refusal of a
 * visitor's address only that address. Any other error means that the channel fails, which the site status reports.
 */
function failedTry({ audience, attempts, firstTriedAt }: DueMessage, error: unknown, at: Date): FailedTry {
  const { permanent, ofRecipient, unreachable } = refusalOf(error);
  const longest = permanent && audience !== 'firm' ? hour : giveUpAfterMs;
  const wait = permanent ? hour : (retryAfterMs[attempts - 1] ?? hour);
  const isOver = at.getTime() - Date.parse(firstTriedAt) >= longest;
  return {
    error: (error instanceof Error ? error.message : String(error)).slice(0, 500),
    dueAt: isOver ? null : new Date(at.getTime() + wait).toISOString(),
    channelFails: !permanent && !(ofRecipient && audience === 'sender'),
    unreachable,
  };
}
