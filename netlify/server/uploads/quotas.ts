import { createHmac } from 'node:crypto';
import { partBytes, uploadLimits } from '../../../src/domain/upload.ts';
import { site } from '../../../src/site.config.ts';
import { networkOf, wideNetworkOf } from '../http/network.ts';
import { Refusal } from '../refusal.ts';
import { logError } from '../log.ts';
import { within } from '../within.ts';
import type { Services } from '../services.ts';
import type { AnonymousBytes, ByteQuota, Taken } from './quota-store.ts';

const megabyte = 1024 * 1024;
const hourMs = 60 * 60_000;

/**
 * Bytes that visitors may upload in an hour without signing in, from one network (`each`) and from all networks
 * together (`all`). An IPv6 /48 counts as one network, because its owner has 65,536 networks of size /64. Networks that
 * have sent little may use the `reserve` too, so a few networks cannot stop every applicant. Together, the quotas allow
 * about 210 MB an hour.
 */
export const byteQuotas = {
  /** Uploads in parts, of which only received bytes count. An upload stops counting when it is deleted. */
  upload: { each: 2 * uploadLimits.resume, all: 8 * uploadLimits.resume, reserve: 8 * uploadLimits.resume },
  /** Applications. One network may send five of the largest size, or about fifty of the usual size. */
  resume: { each: 5 * uploadLimits.resume + megabyte, all: 50 * megabyte, reserve: 50 * megabyte },
  /** Inquiries. One network may send about 250 of the usual size. */
  form: { each: megabyte, all: 16 * megabyte, reserve: 4 * megabyte },
} as const satisfies Record<AnonymousBytes['kind'], ByteQuota>;

/** A smaller file or form counts as this many bytes, because its database rows need space too. */
const leastBytes = 4_096;
/**
 * The longest wait for the database to count the bytes, in milliseconds. If the database takes longer, the bytes are
 * accepted, because {@link requireSpace} also protects the disk.
 */
const patienceMs = 1_000;

/**
 * Counts a visitor's bytes against the quotas.
 * @param what.id identifies the upload or submission. An id is counted once, so retries are free.
 * @returns `taken` is false if a quota is used up. `quiet` is true if the network has sent at most two of the kind in the
 *   last hour. If the database does not respond, the bytes are taken.
 */
export async function takeBytes(
  what: Pick<AnonymousBytes, 'id' | 'kind' | 'bytes'>,
  address: string,
  { env, stores, now }: Services,
): Promise<Taken> {
  if (env.RATE_LIMITS === 'off') return { taken: true, quiet: true };
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
  const counted = stores.anonymousBytes.take(entry, byteQuotas[what.kind], new Date(at).toISOString());
  return await within(counted, patienceMs).catch((error: unknown) => {
    logError('bytes not counted against the quota', { kind: what.kind }, error);
    return uncounted;
  });
}

const uncounted: Taken = { taken: true, quiet: false };

/** Creates the refusal to throw if {@link takeBytes} takes no bytes. */
export function tooManyBytes(kind: AnonymousBytes['kind']): Refusal {
  if (kind === 'form') {
    return new Refusal(
      'too_many_requests',
      `We received too many messages in the last hour. Try again in an hour, call us at ${site.phone}, or write to ${site.email}.`,
      { headers: { 'retry-after': '3600' } },
    );
  }
  const smaller = kind === 'upload' ? ` send a file under ${partBytes / 1_000_000} MB,` : '';
  return new Refusal(
    'too_many_requests',
    `We received too many files in the last hour. Try again in an hour,${smaller} or email your resume to ${site.hrEmail}.`,
    { headers: { 'retry-after': '3600' } },
  );
}

/** With less free space than this, the site accepts no files, so inquiries still fit. */
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
