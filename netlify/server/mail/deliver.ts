import { site } from '../../../src/site.config.ts';
import { logError } from '../log.ts';
import type { Services } from '../services.ts';
import type { DueMail } from '../stores/outbox.ts';
import {
  type Message,
  applicationForFirm,
  applicationForSender,
  inquiryForFirm,
  inquiryForSender,
} from './messages.ts';

const minute = 60_000;
/** After a failed try: 1, 5, 15 and 60 minutes, then hourly for a day (decisions, 'Addresses and names'). */
const retryAfterMs = [1, 5, 15, 60].map((minutes) => minutes * minute);
const giveUpAfterMs = 24 * 60 * minute;
/** Longer than a mail server may take for a batch, so that nobody sends a mail twice. */
const leaseMs = 10 * minute;
const batch = 10;

const running = new WeakMap<Services, { again: boolean; done: Promise<void> }>();

/**
 * Sends every mail that is due. Calls at the same time share one run; one that comes late makes it look again.
 * Never throws: what went wrong stands in the outbox, or in the log.
 */
export function deliverMail(services: Services): Promise<void> {
  if (!services.mailer.configured) return Promise.resolve();
  const current = running.get(services);
  if (current) {
    current.again = true;
    return current.done;
  }
  const run = { again: true, done: Promise.resolve() };
  running.set(services, run);
  run.done = (async () => {
    try {
      while (run.again) {
        run.again = false;
        while (await deliverBatch(services)) continue;
      }
    } catch (error) {
      logError('outbox not reachable', {}, error);
    } finally {
      running.delete(services);
    }
  })();
  return run.done;
}

/** @returns whether there may be more. */
async function deliverBatch(services: Services): Promise<boolean> {
  const now = services.now();
  const due = await services.stores.outbox.take(
    now.toISOString(),
    new Date(now.getTime() + leaseMs).toISOString(),
    batch,
  );
  await Promise.all(due.map((mail) => deliver(mail, services)));
  return due.length === batch;
}

async function deliver(mail: DueMail, services: Services): Promise<void> {
  const { stores, mailer, env, now } = services;
  try {
    const siteUrl = env.SITE_URL ?? site.url;
    const letter = await letterOf(mail, siteUrl, services);
    if (!letter) return;
    const { message, correspondent, ours } = letter;
    const messageId = `${mail.id}-${mail.audience}-${mail.generation}@${new URL(siteUrl).hostname}`;
    if (mail.audience === 'firm') {
      const replyTo = { name: correspondent.fullName, address: correspondent.email };
      await mailer.send(message, { to: ours, replyTo, messageId });
    } else {
      await mailer.send(message, { to: correspondent.email, replyTo: ours, messageId });
    }
  } catch (error) {
    const at = now();
    const reason = error instanceof Error ? error.message : String(error);
    await stores.outbox.refused(mail, reason.slice(0, 500), at.toISOString(), nextTry(mail, at));
    logError('mail not sent', { [mail.kind]: mail.id, audience: mail.audience, attempt: mail.attempts });
    return;
  }
  await stores.outbox.sent(mail, now().toISOString());
}

interface Letter {
  readonly message: Message;
  /** The visitor. */
  readonly correspondent: { readonly fullName: string; readonly email: string };
  /** The firm's mailbox for this kind. */
  readonly ours: string;
}

/** What a mail says, and between whom; null where what it was about is gone. */
async function letterOf(mail: DueMail, siteUrl: string, { stores, mailer }: Services): Promise<Letter | null> {
  const toFirm = mail.audience === 'firm';
  if (mail.kind === 'inquiry') {
    const inquiry = await stores.inquiries.get(mail.id);
    if (!inquiry) return null;
    const message = toFirm ? inquiryForFirm(inquiry, siteUrl) : inquiryForSender(inquiry);
    return { message, correspondent: inquiry, ours: mailer.firmAddress };
  }
  const application = await stores.applications.get(mail.id);
  if (!application) return null;
  const message = toFirm ? applicationForFirm(application, siteUrl) : applicationForSender(application);
  return { message, correspondent: application, ours: mailer.hrAddress };
}

function nextTry(mail: DueMail, at: Date): string | null {
  if (at.getTime() - Date.parse(mail.firstTriedAt) >= giveUpAfterMs) return null;
  const wait = retryAfterMs[mail.attempts - 1] ?? 60 * minute;
  return new Date(at.getTime() + wait).toISOString();
}
