import { noticeTime, notifyAdmins } from '../outbox/notices.ts';
import type { Services } from '../services.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/**
 * When a process starts and the clock is ahead by less than this, the admins get no email, because the site was
 * probably just down for that time.
 */
const silentMs = 30 * day;

/**
 * Contains the database after this process has trusted the clock once. If the clock then jumps ahead, the site was
 * running, so a downtime cannot be the reason.
 */
const watched = new WeakSet<Services['database']>();

/**
 * Decides whether the server's clock is right enough to delete data by age. The clock is trusted while it is within a
 * day of the time at which it was last trusted. After a larger jump, it is trusted again when a day has passed without
 * another jump, so a clock that is wrong for a moment deletes nothing. The admins get an email about the jump, unless
 * the site was probably just down for that time.
 * @returns the current time; null if the clock is not trusted.
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
      subject: "The website server's clock jumped",
      paragraphs: [
        `The clock jumped from ${noticeTime(new Date(last.trustedAt))} to ${noticeTime(at)}.`,
        'The website keeps running, but it has stopped deleting old applications, posts, files and records. Deletion starts again when someone corrects the clock, or after 24 hours if the clock does not jump again.',
        'Ask the person who manages the server to check its date and time within 24 hours. If the date is still wrong then, the site may delete data too early.',
      ],
    });
  }
  return null;
}
