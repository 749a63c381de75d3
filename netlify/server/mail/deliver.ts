import { isApplication } from '../../../src/domain/submissions/submission-kinds.ts';
import { logError } from '../log.ts';
import type { Services } from '../services.ts';
import { type Channel, singlesAnHour } from './add-messages.ts';
import { refusalOf } from './mailer.ts';
import type { MessageGroup } from './outbox.ts';
import * as texts from './texts.ts';

export const isConfigured = (channel: Channel, { mailer, webhook }: Services): boolean =>
  (channel === 'mail' ? mailer : webhook).configured;

const minute = 60_000;
const hour = 60 * minute;
/**
 * The delays before the first four retries. Later retries are hourly, until 24 hours after the first try
 * (docs/operate.md#email).
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

type Runs = WeakMap<Services, { again: boolean; done: Promise<void> }>;

const running: Readonly<Record<Channel, Runs>> = { mail: new WeakMap(), webhook: new WeakMap() };

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
  const deliverOne = async (messages: MessageGroup): Promise<boolean> => {
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
async function send(messages: MessageGroup, services: Services, signal: AbortSignal): Promise<void> {
  const { stores, mailer, webhook, siteUrl } = services;
  const [first] = messages;
  const { id, audience, recipient } = first;
  const submissions = await Promise.all(
    messages.map(async ({ submission }) => submission && (await stores.submissions.get(null, submission))),
  );
  const [submission] = submissions;
  const mailbox = submission && isApplication(submission) ? mailer.hrAddress : mailer.firmAddress;
  if (first.submission === null || messages.length > 1) {
    const subjects = messages.map(({ subject }, index) => {
      const about = submissions[index];
      return about ? texts.subjectOf(about) : subject;
    });
    const notice = messages.length > 1 ? texts.digestOf(subjects.filter(Boolean), singlesAnHour) : first;
    const to = audience === 'admin' ? recipient : mailbox;
    if (audience === 'webhook') await webhook.post(texts.noticeChatText(notice, siteUrl), id, signal);
    else await mailer.send(texts.noticeEmail(notice, siteUrl), { id, to, signal });
    return;
  }
  // If the submission was erased after the message was taken, its messages were erased with it.
  if (!submission) return;
  const sender = { name: submission.fullName, address: submission.email };
  if (audience === 'webhook') {
    await webhook.post(texts.chatText(submission, siteUrl), id, signal);
  } else if (audience === 'firm') {
    await mailer.send(texts.emailToFirm(submission, siteUrl), { id, to: mailbox, replyTo: sender, signal });
  } else {
    await mailer.send(texts.emailToSender(submission), { id, to: sender.address, replyTo: mailbox, signal });
  }
}

/**
 * Records a failed try. A permanent refusal may be a mistake on the server, such as a suspended account, so the email is
 * tried again after an hour. Only an email to the firm is then tried for a day, because a server that gets many emails
 * for unknown addresses may block the site. A permanent refusal concerns only the email, and a temporary refusal of a
 * visitor's address only that address. Any other error means that the channel fails, which the site status reports.
 */
async function noteFailure(
  channel: Channel,
  messages: MessageGroup,
  error: unknown,
  services: Services,
): Promise<void> {
  const [{ submission, audience, attempts, firstTriedAt }] = messages;
  const at = services.now();
  const { permanent, ofRecipient, unreachable } = refusalOf(error);
  const wait = permanent ? hour : (retryAfterMs[attempts - 1] ?? hour);
  const longest = permanent && audience !== 'firm' ? hour : giveUpAfterMs;
  const givenUp = at.getTime() - Date.parse(firstTriedAt) >= longest;
  await services.stores.outbox.refused(channel, messages, at.toISOString(), {
    error: (error instanceof Error ? error.message : String(error)).slice(0, 500),
    dueAt: givenUp ? null : new Date(at.getTime() + wait).toISOString(),
    channelFails: !permanent && !(ofRecipient && audience === 'sender'),
    unreachable,
  });
  logError(channel === 'webhook' ? 'chat message not sent' : 'email not sent', {
    submission: submission ?? 'none',
    audience,
    attempt: attempts,
    ...(givenUp && { givenUp }),
  });
}
