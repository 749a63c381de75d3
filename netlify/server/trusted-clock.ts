import { notifyAdmins } from './notices.ts';
import type { Services } from './services.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** After a shorter downtime the admins get no email about the clock. The clock must still be steady for a day. */
const silentMs = 30 * day;

/** Databases whose clock this process has read before. A jump after that is not explained by a downtime. */
const watched = new WeakSet<Services['database']>();

/**
 * Compares the clock with the last run, and decides whether to delete data by age. After a jump of more than a day, the clock
 * is trusted again when it has been steady for a day, so a clock that is wrong for a moment deletes nothing. The admins get an
 * email, unless the machine was off.
 * @returns the time for deletions; null if the clock is not trusted.
 */
export async function readTrustedClock(services: Services): Promise<Date | null> {
  const { stores, database, now } = services;
  const at = now();
  const last = await stores.clock.get();
  const ranAt = at.toISOString();
  const trusted = async (): Promise<Date> => {
    await stores.clock.set({ trustedAt: ranAt, ranAt, doubtedSince: null });
    watched.add(database);
    return at;
  };
  if (!last) return await trusted();
  if (at.getTime() < Date.parse(last.ranAt) - minute) await stores.clock.bringBack(at);

  const ahead = at.getTime() - Date.parse(last.trustedAt);
  if (Math.abs(ahead) <= day) return await trusted();

  const step = at.getTime() - Date.parse(last.ranAt);
  const even = last.doubtedSince !== null && step >= 0 && step <= day;
  const since = even && last.doubtedSince !== null ? last.doubtedSince : ranAt;
  if (at.getTime() - Date.parse(since) >= day) return await trusted();

  await stores.clock.set({ trustedAt: last.trustedAt, ranAt, doubtedSince: since });
  if (since === ranAt && (ahead < 0 || ahead > silentMs || watched.has(database))) {
    await notifyAdmins(services, {
      key: `clock:${last.trustedAt}`,
      subject: 'The clock of the website’s server has jumped',
      paragraphs: [
        `The server’s clock was at ${last.trustedAt} and now says ${ranAt}.`,
        'The website keeps running, but deletes no applications, posts, files or records by their age. Deletion starts again when the clock has been steady for 24 hours, or when it is right again.',
        'Check the date and the time of the server. If they are correct, you do not need to do anything.',
      ],
    });
  }
  return null;
}
