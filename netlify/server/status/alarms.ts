import { forwardFault, notChecked } from '../../../src/domain/site/site-status.ts';
import { site } from '../../../src/site.config.ts';
import { adminAddresses, noticeTime, notifyAdmins } from '../mail/notices.ts';
import { noticeChatText, noticeEmail } from '../mail/texts.ts';
import { logError, logInfo } from '../log.ts';
import { within } from '../time/within.ts';
import type { Services } from '../services.ts';
import type { Fault, Faults } from './run-store.ts';

/** The admins are told of a fault that lasts this long, so the restart of a mail server is not reported. */
const holdMs = 3 * 60_000;
/** A fault is over after the part has worked for this time, so repeated short failures count as one fault. */
const calmMs = 2 * 60_000;
const sendingMs = 3_000;

/** Returns the state of a part after a check, and whether the admins are now told. @param words null if it works. */
function nextFault(before: Fault | null, words: string | null, at: Date): [next: Fault | null, tell: boolean] {
  const now = at.toISOString();
  // The absolute value prevents a clock that was set back from extending a fault forever.
  const since = (time: string) => Math.abs(at.getTime() - Date.parse(time));
  if (words !== null) {
    const fault = { beganAt: now, toldAt: null, ...before, words, clearedAt: null };
    const tell = fault.toldAt === null && since(fault.beganAt) >= holdMs;
    return [tell ? { ...fault, toldAt: now } : fault, tell];
  }
  if (before?.clearedAt === null) return [{ ...before, clearedAt: now }, false];
  if (!before?.clearedAt) return [null, false];
  return since(before.clearedAt) < calmMs ? [before, false] : [null, before.toldAt !== null];
}

/**
 * Tells the admins once when a part begins to fail, and once when it works again.
 * @param words for each part `ok`, or what happened.
 * @param tell announces a fault or its end. If it returns false, it is called again a minute later.
 * @returns the faults to remember. A notice with a known key is not stored again, so a process that dies in between
 * tells the admins once.
 */
export async function watch(
  words: Readonly<Record<string, string>>,
  before: Faults,
  services: Services,
  tell = announce,
): Promise<Faults> {
  const faults: Record<string, Fault> = {};
  for (const [part, said] of Object.entries(words)) {
    const fault = before[part] ?? null;
    const [next, isDue] = nextFault(fault, said === 'ok' || said === notChecked ? null : said, services.now());
    const isTold = !isDue || (await tell(part, next ?? fault!, services));
    if (next) faults[part] = isTold ? next : { ...next, toldAt: null };
  }
  return faults;
}

async function announce(part: string, fault: Fault, services: Services): Promise<boolean> {
  const ended = fault.clearedAt !== null;
  const { mailer, webhook, stores, now } = services;
  const mailFails = mailer.configured && (await stores.outbox.state('mail', now())).failingSince !== null;
  const to = mailer.configured && !(part === 'mail' && mailFails) ? await adminAddresses(services) : [];
  // A mail server that answers can still refuse every email, so a problem with email always goes to the chat.
  const toChat = webhook.configured && part !== 'webhook' && (mailFails || to.length === 0 || part === 'mail');
  const key = `fault-${part}${ended ? '-ended' : ''}:${fault.beganAt}`;
  await notifyAdmins(services, { key, to, toChat, ...noticeOf(part, fault) });
  return true;
}

const titles: Readonly<Record<string, string>> = {
  database: 'the database',
  blobs: 'file storage',
  disk: 'the disk',
  mail: 'email',
  webhook: 'the team chat',
  schedule: 'the background tasks',
  backup: 'the backups',
  pages: 'the public pages',
};

/** Logs a fault or its end, and returns the subject and the paragraphs of the email about it. */
function noticeOf(part: string, { words, beganAt, clearedAt }: Fault) {
  const title = titles[part] ?? part;
  if (clearedAt === null) {
    logError('fault began', { part, words });
    return {
      subject: `Problem with ${title} on the ${site.name} website`,
      paragraphs: [
        `${words.replace(/\.$/, '')}.`,
        `The site noticed this on ${noticeTime(new Date(beganAt))}.`,
        forwardFault,
        // Without the database, no one can sign in.
        (part === 'database' ? '' : 'For details, sign in and open Settings > Site status. ') +
          'The site will send another message when the problem is over.',
      ],
    };
  }
  logInfo('fault ended', { part });
  return {
    subject: `Resolved: problem with ${title} on the ${site.name} website`,
    paragraphs: [
      `The problem with ${title} is over. It lasted from ${noticeTime(new Date(beganAt))} to ${noticeTime(new Date(clearedAt))}.`,
    ],
  };
}

/** What the site remembers outside the database about a fault of the database, and whom it then emails. */
interface DatabaseAlarm {
  readonly faults: Faults;
  readonly admins: readonly string[];
}

/** This process's copy of the record in the blob store, which is read again only while the database fails. */
const remembered = new WeakMap<Services, DatabaseAlarm>();

/**
 * Watches the database. The state is in the blob store and the email bypasses the outbox, because both are in the
 * database otherwise.
 * @param hourly whether to read again who the admins are.
 */
export async function watchDatabase(words: string, hourly: boolean, services: Services): Promise<void> {
  const store = () => services.blobs('alarms');
  const known = remembered.get(services);
  let before = known;
  if (!before || words !== 'ok' || before.faults.database) {
    const read = async () => (await store().get('database-alarm', { type: 'json' })) as DatabaseAlarm | null;
    before = (await within(read(), sendingMs).catch(() => null)) ?? known ?? { faults: {}, admins: [] };
  }
  const admins = words === 'ok' && (hourly || !known) ? await adminAddresses(services) : before.admins;
  const direct: typeof announce = (_, fault) => sendDirectly(fault, admins, services);
  const faults = await watch({ database: words }, before.faults, services, words === 'ok' ? announce : direct);
  const after = { faults, admins };
  remembered.set(services, after);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  const write = async () => await store().setJSON('database-alarm', after);
  await within(write(), sendingMs).catch((error: unknown) => logError('fault state not stored', {}, error));
}

/** Sends the notice without the outbox. @returns true if a message was accepted, or if nothing can send one. */
async function sendDirectly(fault: Fault, admins: readonly string[], services: Services): Promise<boolean> {
  const { mailer, webhook, env, siteUrl } = services;
  const { subject, paragraphs } = noticeOf('database', fault);
  const message = { subject, text: paragraphs.join('\n\n') };
  const id = `fault-database-${Date.parse(fault.beganAt)}`;
  const recipients = admins.length > 0 ? admins : [env.ADMIN_EMAIL ?? mailer.firmAddress];
  const signal = AbortSignal.timeout(sendingMs);
  const send = (to: string, index: number) =>
    mailer.send(noticeEmail(message, siteUrl), { id: `${id}-${index}`, to, signal });
  const sent = await Promise.allSettled(mailer.configured ? recipients.map(send) : []);
  if (sent.some(({ status }) => status === 'fulfilled')) return true;
  if (!webhook.configured) return !mailer.configured;
  const posted = webhook.post(noticeChatText(message, siteUrl), id, AbortSignal.timeout(sendingMs));
  return await posted.then(Boolean, () => false);
}
