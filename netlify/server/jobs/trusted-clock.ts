import type { Services } from '../services.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Decides whether the server's clock is right enough to delete data by age. The clock is trusted while it is within a
 * day of the time at which it was last trusted. After a larger jump, it is trusted again when a day has passed without
 * another jump, so a clock that is wrong for a moment deletes nothing.
 * @returns the current time; null if the clock is not trusted.
 */
export async function readTrustedClock({ stores, now }: Services): Promise<Date | null> {
  const at = now();
  const ranAt = at.toISOString();
  const last = (await stores.clock.get()) ?? { trustedAt: ranAt, ranAt, doubtedSince: null };
  const since = (time: string) => at.getTime() - Date.parse(time);
  const jumped = Math.abs(since(last.ranAt)) > day;
  const doubtedSince = jumped ? ranAt : (last.doubtedSince ?? ranAt);
  const trusted = Math.abs(since(last.trustedAt)) <= day || since(doubtedSince) >= day;
  const next = trusted ? { trustedAt: ranAt, doubtedSince: null } : { trustedAt: last.trustedAt, doubtedSince };
  await stores.clock.set({ ...next, ranAt }, since(last.ranAt) < -minute);
  return trusted ? at : null;
}
