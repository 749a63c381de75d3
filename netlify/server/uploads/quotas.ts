import { createHmac } from 'node:crypto';
import { partBytes, uploadLimits } from '../../../src/domain/submissions/upload.ts';
import { site } from '../../../src/site.config.ts';
import { type Database, insert, sql } from '../db/database.ts';
import type { Env } from '../env.ts';
import { networkOf, wideNetworkOf } from '../http/network.ts';
import { Refusal } from '../refusal.ts';
import { logError } from '../log.ts';
import { within } from '../time/within.ts';

const megabyte = 1024 * 1024;
const hourMs = 60 * 60_000;

/**
 * Bytes that visitors may upload in an hour without signing in, from one network (`each`) and from all networks
 * together (`all`). An IPv6 /48 counts as one network, because its owner has 65,536 networks of size /64. Networks that
 * have sent little may use the `reserve` too, so a few networks cannot stop every applicant. Together, the quotas allow
 * about 210 MB an hour. A smaller file or form counts as `least` bytes, because its rows and files need space too.
 */
export const byteQuotas = {
  /**
   * Uploads in parts, of which only received bytes count. An upload stops counting when it is deleted. The site's own
   * form sends only files above 4 MB in parts.
   */
  upload: {
    each: 2 * uploadLimits.resume,
    all: 8 * uploadLimits.resume,
    reserve: 8 * uploadLimits.resume,
    least: megabyte,
  },
  /** Applications. One network may send five of the largest size, or about fifty of the usual size. */
  resume: { each: 5 * uploadLimits.resume + megabyte, all: 50 * megabyte, reserve: 50 * megabyte, least: 4_096 },
  /** Inquiries. One network may send about 250 of the usual size. */
  form: { each: megabyte, all: 16 * megabyte, reserve: 4 * megabyte, least: 4_096 },
} as const;

/** Bytes that a visitor sends. The id of the upload or submission is counted once, so retries are free. */
interface SentBytes {
  readonly id: string;
  readonly kind: keyof typeof byteQuotas;
  readonly bytes: number;
}

interface Taken {
  /** False if a quota is used up. */
  readonly taken: boolean;
  /** True if the network has at most two counted entries of the kind. */
  readonly quiet: boolean;
}

/** Counts the bytes that visitors send without signing in. Instances share the counts, which survive a restart. */
export function anonymousByteStore(database: Database) {
  return {
    /** Adds bytes to the counts, unless that would exceed a quota. More bytes under the same id replace its count. */
    async take({ id, kind, bytes }: SentBytes, network: string, at: Date): Promise<Taken> {
      const { each, all, reserve } = byteQuotas[kind];
      const expiresAt = new Date(at.getTime() + hourMs).toISOString();
      const others = sql`FROM anonymous_bytes
        WHERE kind = ${kind} AND expires_at > ${at.toISOString()} AND id <> ${id}`;
      const own = sql`${others} AND network = ${network}`;
      const fits = sql`(SELECT coalesce(sum(bytes), 0) ${own}) + ${bytes} <= ${each}
        AND (SELECT coalesce(sum(bytes), 0) ${others}) + ${bytes}
          <= ${all} + iif((SELECT count(*) ${own}) < 2, ${reserve}, 0)`;
      const [, counted] = await database.write(
        sql`${insert('anonymous_bytes', { id, kind, network, bytes, expiresAt }, fits)}
            ON CONFLICT (id) DO UPDATE SET bytes = max(bytes, excluded.bytes)`,
        sql`SELECT (SELECT count(*) FROM anonymous_bytes WHERE id = ${id} AND bytes >= ${bytes}) AS taken,
              (SELECT count(*) ${own}) AS own`,
      );
      const row = counted?.rows[0];
      return { taken: row?.taken === 1, quiet: Number(row?.own) <= 1 };
    },
  };
}

type AnonymousByteStore = ReturnType<typeof anonymousByteStore>;

/**
 * The longest wait for the database to count the bytes, in milliseconds. If the database takes longer, the bytes are
 * accepted, because {@link requireSpace} also protects the disk.
 */
const patienceMs = 1_000;

/** Counts a visitor's bytes against the quotas. If the database does not respond, the bytes are taken. */
export async function takeBytes(
  sent: SentBytes,
  address: string,
  { env, stores, now }: { env: Env; stores: { anonymousBytes: AnonymousByteStore }; now: () => Date },
): Promise<Taken> {
  if (env.RATE_LIMITS === 'off') return { taken: true, quiet: true };
  const keyed = createHmac('sha256', env.SESSION_SECRET ?? '').update(wideNetworkOf(address) ?? networkOf(address));
  const network = keyed.digest('base64url').slice(0, 22);
  const counted = stores.anonymousBytes.take(
    { ...sent, bytes: Math.max(sent.bytes, byteQuotas[sent.kind].least) },
    network,
    now(),
  );
  return await within(counted, patienceMs).catch((error: unknown) => {
    logError('bytes not counted against the quota', { kind: sent.kind }, error);
    return { taken: true, quiet: false };
  });
}

/** Creates the refusal to throw if {@link takeBytes} takes no bytes. */
export function tooManyBytes(kind: SentBytes['kind']): Refusal {
  const smaller = kind === 'upload' ? ` send a file under ${partBytes / 1_000_000} MB,` : '';
  const message =
    kind === 'form'
      ? `We received too many messages in the last hour. Try again in an hour, call us at ${site.phone}, or write to ${site.email}.`
      : `We received too many files in the last hour. Try again in an hour,${smaller} or email your resume to ${site.hrEmail}.`;
  return new Refusal('too_many_requests', message, { headers: { 'retry-after': '3600' } });
}

/** With less free space than this, the site accepts no files, so inquiries still fit. */
export const floorBytes = 200 * megabyte;

/**
 * Refuses files when the disk is nearly full, to reserve space for inquiries.
 * @throws {Refusal} `storage_full`
 */
export async function requireSpace(
  who: 'public' | 'admin',
  { freeBytes }: { freeBytes: () => Promise<number | null> },
): Promise<void> {
  const free = await freeBytes().catch((error: unknown) => {
    logError('free disk space not read', {}, error);
    return null;
  });
  if (free === null || free >= floorBytes) return;
  throw new Refusal(
    'storage_full',
    who === 'admin'
      ? `The server's disk is almost full, so files can't be stored. Free at least ${floorBytes / megabyte} MB on the server, then try again.`
      : `We can't store files right now. Please email your file to ${site.hrEmail}.`,
  );
}
