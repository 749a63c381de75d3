import { setTimeout as sleep } from 'node:timers/promises';
import { site } from '../../../src/site.config.ts';
import { logError } from '../log.ts';
import type { Services } from '../services.ts';
import { refusalOf } from './mailer.ts';
import {
  type Audience,
  type Channel,
  type ChannelFailure,
  type DueMessage,
  acknowledgmentsResentMs,
  singlesAnHour,
} from './outbox.ts';
import {
  type NoticeText,
  type Submission,
  chatText,
  digestOf,
  emailToFirm,
  emailToSender,
  isApplication,
  noticeChatText,
  noticeEmail,
} from './texts.ts';

export const channelOf = (audience: Audience): Channel => (audience === 'webhook' ? 'webhook' : 'mail');

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
/** The most emails that one call of {@link queueFailedMail} queues. It writes them in parts, between other writes. */
const mostQueued = 10_000;
const queuedAtOnce = 500;
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
  const leasedUntil = new Date(now.getTime() + leaseMs).toISOString();
  const due = await services.stores.outbox.take(channel, now.toISOString(), leasedUntil, batch);
  const signal = AbortSignal.timeout(Math.ceil(withinMs));
  await Promise.all(due.map((messages) => deliverOne(channel, messages, services, signal)));
  return due.length >= batch;
}

/** Sends one message, or several as a digest. */
async function deliverOne(
  channel: Channel,
  messages: readonly DueMessage[],
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const { stores, now } = services;
  const [message] = messages;
  if (!message) return;
  try {
    await send(message, messages, services, signal);
  } catch (error) {
    const at = now();
    const reason = error instanceof Error ? error.message : String(error);
    const { permanent, failure } = judge(message, error);
    const dueAt = nextTry(message, permanent, at);
    await stores.outbox.refused(channel, messages, {
      error: reason.slice(0, 500),
      at: at.toISOString(),
      dueAt,
      failure,
    });
    const { submission, audience, attempts } = message;
    const fields = {
      submission: submission ?? 'none',
      audience,
      attempt: attempts,
      ...(dueAt === null && { givenUp: true }),
    };
    logError(channel === 'webhook' ? 'chat message not sent' : 'email not sent', fields);
    return;
  }
  await stores.outbox.sent(channel, messages, now().toISOString());
}

/** Sends a message, or the digest of several. @throws if the mail server or the chat does not accept it. */
async function send(
  message: DueMessage,
  messages: readonly DueMessage[],
  { stores, mailer, webhook, env }: Services,
  signal: AbortSignal,
): Promise<void> {
  const { id, audience } = message;
  const siteUrl = env.SITE_URL ?? site.url;
  const messageId = `${id}@${new URL(siteUrl).hostname}`;
  const submissionOf = async ({ submission }: DueMessage): Promise<Submission | null> =>
    submission === null
      ? null
      : ((await stores.inquiries.get(submission)) ?? (await stores.applications.get(submission)));
  const submission = await submissionOf(message);
  const sendNotice = async (notice: NoticeText) => {
    if (audience === 'webhook') return await webhook.post(noticeChatText(notice, siteUrl), id, signal);
    const to = audience === 'admin' ? message.recipient : mailboxFor(submission);
    return await mailer.send(noticeEmail(notice, siteUrl), { to, replyTo: mailer.firmAddress, messageId, signal });
  };
  const mailboxFor = (one: Submission | null) => (one && isApplication(one) ? mailer.hrAddress : mailer.firmAddress);

  if (messages.length > 1) {
    const subjects: string[] = [];
    for (const one of messages) {
      const about = await submissionOf(one);
      subjects.push(about ? emailToFirm(about, siteUrl).subject : one.subject);
    }
    await sendNotice(digestOf(subjects.filter(Boolean), singlesAnHour));
  } else if (message.submission === null) {
    await sendNotice(message);
  } else if (submission && audience === 'webhook') {
    await webhook.post(chatText(submission, siteUrl), id, signal);
  } else if (submission && audience === 'firm') {
    const replyTo = { name: submission.fullName, address: submission.email };
    await mailer.send(emailToFirm(submission, siteUrl), { to: mailboxFor(submission), replyTo, messageId, signal });
  } else if (submission) {
    const envelope = { to: submission.email, replyTo: mailboxFor(submission), messageId, signal };
    await mailer.send(emailToSender(submission), envelope);
  }
  // Otherwise, the submission was erased after the message was taken, and its messages with it.
}

/**
 * Decides after an error whether the server refused the message permanently, and whether the error counts as a failure
 * of the channel, which the site status reports. A permanent refusal of an email does not count, because it concerns
 * only that email. A temporary refusal of a recipient counts, except if the recipient is a visitor.
 */
function judge({ audience }: DueMessage, error: unknown): { permanent: boolean; failure: ChannelFailure | null } {
  if (audience === 'webhook') return { permanent: false, failure: { unreachable: false } };
  const { permanent, ofRecipient, unreachable } = refusalOf(error);
  const itsOwn = permanent || (ofRecipient && audience === 'sender');
  return { permanent, failure: itsOwn ? null : { unreachable } };
}

/**
 * Returns the time of the next try; null for no further try. A permanent refusal may be a mistake on the server, such as
 * a suspended account, so the email is tried again after an hour. Only an email to the firm is then tried for a day,
 * because a server that gets many emails for unknown addresses may block the site.
 */
function nextTry({ audience, attempts, firstTriedAt }: DueMessage, permanent: boolean, at: Date): string | null {
  const triedForMs = at.getTime() - Date.parse(firstTriedAt);
  if (triedForMs >= (permanent && audience !== 'firm' ? hour : giveUpAfterMs)) return null;
  const wait = permanent ? hour : (retryAfterMs[attempts - 1] ?? hour);
  return new Date(at.getTime() + wait).toISOString();
}

/**
 * If the mail server was unreachable, checks whether it works again, and then makes the waiting emails due. Called
 * every minute, because some of these emails would otherwise wait up to an hour for their next retry.
 * @param withinMs a server that has not responded after this time counts as unreachable.
 */
export async function resumeMail({ mailer, stores, now }: Services, withinMs: number): Promise<void> {
  if (!mailer.configured) return;
  const { failingSince, unreachable } = await stores.outbox.state('mail', now());
  if (failingSince === null || !unreachable) return;
  const verified = mailer.verify().then(
    () => true,
    () => false,
  );
  const back = await Promise.race([verified, sleep(withinMs, false, { ref: false })]);
  if (back) await stores.outbox.tryNow('mail', now().toISOString());
}

/**
 * Makes every failed email due now: the ones that the site gave up, and the ones that wait for their next try. Old
 * acknowledgments are left out, because a visitor does not expect a confirmation after a week.
 * @returns the number of emails.
 */
export async function queueFailedMail({ stores, now }: Services): Promise<number> {
  const at = now();
  const acknowledgedAfter = new Date(at.getTime() - acknowledgmentsResentMs).toISOString();
  let queued = 0;
  while (queued < mostQueued) {
    const count = await stores.outbox.queueFailedMail(at.toISOString(), acknowledgedAfter, queuedAtOnce);
    if (count === 0) break;
    queued += count;
  }
  return queued;
}
