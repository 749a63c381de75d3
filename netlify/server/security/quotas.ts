import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { partBytes, uploadLimits } from '../../../src/domain/upload.ts';
import { site } from '../../../src/site.config.ts';
import { networkOf, wideNetworkOf } from '../http/network.ts';
import { Refusal } from '../runtime/refusal.ts';
import { logError } from '../runtime/log.ts';
import type { Services } from '../services.ts';
import type { AnonymousBytes, ByteQuota } from '../stores/anonymous-bytes.ts';

const megabyte = 1024 * 1024;
const hourMs = 60 * 60_000;

/**
 * Bytes that visitors may upload in an hour without signing in, from one network (`each`) and from all networks
 * together (`all`). An IPv6 /48 counts as one network, because its owner has 65,536 networks of size /64. Together,
 * the `all` quotas allow about 150 MB an hour.
 */
export const byteQuotas = {
  /**
   * Uploads in parts. One network may upload two resumes of the largest size. An upload stops counting when it is
   * deleted.
   */
  upload: { each: 2 * uploadLimits.resume, all: 8 * uploadLimits.resume },
  /** Resumes of applications. One network may send five of the largest size, or about fifty of the usual size. */
  resume: { each: 5 * uploadLimits.resume, all: 100 * megabyte },
} as const satisfies Record<AnonymousBytes['kind'], ByteQuota>;

/** A smaller file counts as this many bytes, because its database row and its name need space too. */
const leastBytes = 4_096;
/**
 * The longest wait for the database to count the bytes, in milliseconds. If the database takes longer, the bytes are
 * accepted, because {@link requireSpace} also protects the disk.
 */
const patienceMs = 1_000;

/**
 * Counts a visitor's bytes against the quotas.
 * @param what.id identifies the upload. An id is counted once, so retries are free.
 * @returns false if a quota is used up. True if the database does not respond, and with `RATE_LIMITS=off`.
 */
export async function takeBytes(
  what: Pick<AnonymousBytes, 'id' | 'kind' | 'bytes'>,
  address: string,
  { env, stores, now }: Services,
): Promise<boolean> {
  if (env.RATE_LIMITS === 'off') return true;
  const network = wideNetworkOf(address) ?? networkOf(address);
  const hidden = createHmac('sha256', env.SESSION_SECRET ?? '')
    .update(network)
    .digest('base64url')
    .slice(0, 22);
  const at = now().getTime();
  const entry = {
    ...what,
    network: hidden,
    bytes: Math.max(what.bytes, leastBytes),
    expiresAt: new Date(at + hourMs).toISOString(),
  };
  const counted = stores.anonymousBytes
    .take(entry, byteQuotas[what.kind], new Date(at).toISOString())
    .catch((error: unknown) => {
      logError('file not counted against the quota', { kind: what.kind }, error);
      return true;
    });
  return await Promise.race([counted, sleep(patienceMs, true, { ref: false })]);
}

/** Creates the refusal to throw if {@link takeBytes} returns false. */
export function tooManyBytes(kind: 'upload' | 'resume'): Refusal {
  const smaller = kind === 'upload' ? ` send a file under ${partBytes / 1_000_000} MB,` : '';
  return new Refusal(
    'too_many_requests',
    `We received too many files in the last hour. Try again in an hour,${smaller} or email your resume to ${site.hrEmail}.`,
    { headers: { 'retry-after': '3600' } },
  );
}

/** With less free space than this, the site accepts only inquiries, which are small. */
export const floorBytes = 200 * megabyte;

/**
 * Refuses files when the disk is nearly full, to reserve space for inquiries.
 * @throws {Refusal} `storage_full`
 */
export async function requireSpace(who: 'public' | 'admin', { freeBytes }: Services): Promise<void> {
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
