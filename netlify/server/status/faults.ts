import { forwardFault, healthParts } from '../../../src/domain/health.ts';
import { site } from '../../../src/site.config.ts';
import { nextFaultState } from './fault-state.ts';
import { within } from '../runtime/within.ts';
import { logError, logInfo } from '../runtime/log.ts';
import { adminAddresses, noticeText, storeNotice } from '../mail/notices.ts';
import type { Services } from '../services.ts';
import type { FaultState } from '../stores/faults.ts';
import { type HealthPart, checkHealth, timeText } from './site-status.ts';
import { noticeChatText, noticeEmail } from '../mail/texts.ts';

/**
 * A record about a fault of the database. The blob store has the record, because the database may be unable to store
 * it.
 */
interface DatabaseFaultRecord {
  readonly state: FaultState | null;
  /** The email addresses of the admins, from when the database last responded. */
  readonly admins: readonly string[];
}

const recordKey = 'database';
const sendingMs = 3_000;
/** This process's copy of the record, in case the blob store fails together with the database. */
const remembered = new WeakMap<Services, DatabaseFaultRecord>();

/**
 * Checks every part of the site. Notifies the admins once when a fault begins and once when it ends, across restarts
 * and instances.
 */
export async function watchFaults(services: Services): Promise<void> {
  const { stores, now } = services;
  const parts = await checkHealth(services);
  await watchDatabase(parts.database, services);
  if (parts.database.words !== 'ok') return;
  const states = new Map((await stores.faults.list()).map((state) => [state.part, state]));
  for (const part of healthParts) {
    if (part === 'database') continue;
    const words = faultOf(parts[part]);
    const before = states.get(part) ?? null;
    const { next, event } = nextFaultState(part, before, words, now());
    // The notice is stored before the new state. If the process dies between the two writes, the next run uses the same
    // key for the notice, and a notice with a known key is not stored again.
    if (event === 'began' && next) await announce(services, next, null);
    if (event === 'ended' && before) await announce(services, before, before.clearedAt);
    if (next) await stores.faults.put(next);
    else if (before) await stores.faults.remove(part);
  }
}

function faultOf({ words }: HealthPart): string | null {
  return words === 'ok' ? null : words;
}

/** Stores the notice that a fault began or ended. @param endedAt null if the fault began. */
async function announce(services: Services, fault: FaultState, endedAt: string | null): Promise<void> {
  const { part, beganAt } = fault;
  logFault(fault, endedAt);
  const to = await recipientsFor(part, endedAt !== null, services);
  const key = `fault-${part}${endedAt === null ? '' : '-ended'}:${beganAt}`;
  await storeNotice(services, { key, to, ...faultNotice(fault, endedAt) });
}

/** Returns the admins' email addresses, and an empty string for the webhook if email fails or has just recovered. */
async function recipientsFor(part: string, ended: boolean, services: Services): Promise<string[]> {
  const { mailer, webhook, stores } = services;
  const emailFails = mailer.configured && (await stores.outbox.channel('mail')).failingSince !== null;
  const byEmail = mailer.configured && !(part === 'mail' && emailFails) ? await adminAddresses(services) : [];
  const toChat =
    webhook.configured && part !== 'webhook' && (emailFails || byEmail.length === 0 || (part === 'mail' && ended));
  return [...byEmail, ...(toChat ? [''] : [])];
}

const titles: Readonly<Record<string, string>> = {
  database: 'the database',
  blobs: 'file storage',
  disk: 'the disk',
  mail: 'email',
  webhook: 'the team chat',
  schedule: 'the background tasks',
  posts: 'scheduled posts',
  pages: 'the public pages',
};

/** Returns the subject and text of the email about a fault. @param endedAt null while the fault lasts. */
function faultNotice({ part, words, beganAt }: FaultState, endedAt: string | null) {
  const title = titles[part] ?? part;
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`;
  if (endedAt === null) {
    return {
      subject: `Problem with ${title} on the ${site.name} website`,
      paragraphs: [
        sentence,
        `The site noticed this on ${timeText(beganAt)}.`,
        forwardFault,
        'For details, sign in and open Settings > Site status. The site will send another message when the problem is over.',
      ],
    };
  }
  return {
    subject: `Resolved: problem with ${title} on the ${site.name} website`,
    paragraphs: [
      `The problem with ${title} is over. It lasted from ${timeText(beganAt)} to ${timeText(endedAt)}.`,
      `The site had reported: “${sentence.replace(/\. .*/s, '.')}”`,
    ],
  };
}

function logFault({ part, words }: FaultState, endedAt: string | null): void {
  if (endedAt === null) logError('fault began', { part, words });
  else logInfo('fault ended', { part });
}

/**
 * Watches the database as {@link watchFaults} watches the other parts. The state is stored in the blob store and the
 * email bypasses the outbox, because the table of faults and the outbox are in the database.
 */
async function watchDatabase(part: HealthPart, services: Services): Promise<void> {
  const { now } = services;
  const before = remembered.get(services) ?? (await readRecord(services));
  const words = faultOf(part);
  const admins = words === null ? await adminAddresses(services) : before.admins;
  const { next, event } = nextFaultState('database', before.state, words, now());
  let state = next;
  // If no notification was accepted, the fault is announced again at the next check.
  if (event === 'began' && next && !(await sendDirectly(next, before.admins, services))) {
    state = { ...next, announcedAt: null };
  }
  if (event === 'ended' && before.state) await announce(services, before.state, before.state.clearedAt);
  const record = { state, admins };
  remembered.set(services, record);
  if (JSON.stringify(record) !== JSON.stringify(before)) await writeRecord(record, services);
}

/**
 * Sends the notice of a fault without the outbox.
 * @returns true if an email or the chat message was accepted, or if neither email nor the webhook is set up.
 */
async function sendDirectly(
  fault: FaultState,
  admins: readonly string[],
  { mailer, webhook, env }: Services,
): Promise<boolean> {
  logFault(fault, null);
  const siteUrl = env.SITE_URL ?? site.url;
  const { subject, paragraphs } = faultNotice(fault, null);
  const message = { subject, text: noticeText(paragraphs) };
  const id = `fault-database-${Date.parse(fault.beganAt)}`;
  const fallback = env.ADMIN_EMAIL ?? mailer.firmAddress;
  const recipients = admins.length > 0 ? admins : [fallback];
  const signal = AbortSignal.timeout(sendingMs);
  const sent = mailer.configured
    ? await Promise.allSettled(
        recipients.map((to, index) =>
          mailer.send(noticeEmail(message, siteUrl), {
            to,
            replyTo: mailer.firmAddress,
            messageId: `${id}-${index}@${new URL(siteUrl).hostname}`,
            signal,
          }),
        ),
      )
    : [];
  if (sent.some(({ status }) => status === 'fulfilled')) return true;
  if (!webhook.configured) return !mailer.configured;
  return await webhook.post(noticeChatText(message, siteUrl), id, AbortSignal.timeout(sendingMs)).then(
    () => true,
    () => false,
  );
}

const nothing: DatabaseFaultRecord = { state: null, admins: [] };

async function readRecord({ blobs }: Services): Promise<DatabaseFaultRecord> {
  const read = async () => (await blobs('alarms').get(recordKey, { type: 'json' })) as DatabaseFaultRecord | null;
  return (await within(read(), sendingMs).catch(() => null)) ?? nothing;
}

async function writeRecord(record: DatabaseFaultRecord, { blobs }: Services): Promise<void> {
  await within(blobs('alarms').setJSON(recordKey, record), sendingMs).catch((error: unknown) =>
    logError('fault state not stored', {}, error),
  );
}
