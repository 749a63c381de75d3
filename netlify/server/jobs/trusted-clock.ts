import { type Statement, sql, text } from '../db/database.ts';
import type { Services } from '../services.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Decides whether the server's clock is right enough to delete data by age. The clock is trusted while it is within a
 * day of the time at which it was last trusted. After a larger jump, it is trusted again when a day has passed without
 * another jump, so a clock that is wrong for a moment deletes nothing.
 * @returns the current time; null if the clock is not trusted.
 */
export async function readTrustedClock({ database, now }: Services): Promise<Date | null> {
  const at = now();
  const [last] = await database.read(sql('SELECT trusted_at, ran_at, doubted_since FROM clock'));
  const since = (column: 'trusted_at' | 'ran_at') => (last ? at.getTime() - Date.parse(text(last[column])) : 0);
  const jumped = Math.abs(since('ran_at')) > day;
  const doubtedSince = last?.doubted_since && !jumped ? text(last.doubted_since) : at.toISOString();
  const trusted = Math.abs(since('trusted_at')) <= day || at.getTime() - Date.parse(doubtedSince) >= day;
  const ranAt = at.toISOString();
  await database.write(
    sql(
      `INSERT INTO clock (one, trusted_at, ran_at, doubted_since) VALUES (1, ?1, ?1, NULL) ON CONFLICT (one) DO UPDATE
       SET trusted_at = iif(?2, ?1, trusted_at), ran_at = ?1, doubted_since = iif(?2, NULL, ?3)`,
      ranAt,
      trusted,
      doubtedSince,
    ),
    ...(since('ran_at') < -minute ? corrections(at) : []),
  );
  return trusted ? at : null;
}

/** Tables whose rows expire after at most seven days. */
const expiring = ['passkey_challenges', 'form_drafts', 'uploads', 'anonymous_bytes', 'share_links'];

/**
 * Corrects times that a clock that was ahead has stored. Otherwise, emails would wait, failed sign-ins would count, and
 * sessions and links would stay valid, for as long as the clock was ahead.
 */
function corrections(now: Date): Statement[] {
  const at = now.toISOString();
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
  return [
    // Retries are at most an hour apart.
    sql(
      `UPDATE outbox SET due_at = min(due_at, ?1), leased_until = NULL
       WHERE status IN ('waiting', 'retrying') AND (due_at > ?2 OR leased_until > ?2)`,
      at,
      after(2 * 60 * minute),
    ),
    sql('UPDATE sign_in_attempts SET at = ? WHERE at > ?', at, after(minute)),
    sql(
      `UPDATE sessions
       SET seen_at = min(seen_at, ?1), created_at = min(created_at, ?1), expires_at = min(expires_at, ?2)`,
      at,
      after(7 * day),
    ),
    ...expiring.map((table) => sql(`DELETE FROM ${table} WHERE expires_at > ?`, after(8 * day))),
  ];
}
