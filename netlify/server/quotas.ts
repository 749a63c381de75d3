import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { partBytes, uploadLimits } from '../../src/domain/upload.ts';
import { site } from '../../src/site.config.ts';
import { networkOf, wideNetworkOf } from './http/network.ts';
import { Refusal } from './http/refusal.ts';
import { logError } from './log.ts';
import type { Services } from './services.ts';
import type { AnonymousBytes, ByteQuota } from './stores/anonymous-bytes.ts';

const megabyte = 1024 * 1024;
const hourMs = 60 * 60_000;

/**
 * What visitors may leave here in an hour without signing in, from one network and from all. An IPv6 /48 is one network: its
 * owner could use 65,536 addresses. An hour of the most possible is 150 MB.
 */
export const byteQuotas = {
  /** Two of the largest resumes at a time. */
  upload: { each: 2 * uploadLimits.resume, all: 8 * uploadLimits.resume },
  /** Five of the largest resumes, or fifty of the usual size. */
  resume: { each: 5 * uploadLimits.resume, all: 100 * megabyte },
  draft: { each: megabyte / 2, all: 8 * megabyte },
} as const satisfies Record<AnonymousBytes['kind'], ByteQuota>;

/** What an entry counts at least: a row and a name need room too. */
const leastBytes = 4_096;
/** So long an applicant waits for the count; the free space is looked at in any case. */
const patienceMs = 1_000;

/**
 * Counts what a visitor leaves against the quotas.
 * @param id of what it is: the same one is counted once, however often it is sent.
 * @returns false where a quota is used up. A database that does not answer refuses nobody, and `RATE_LIMITS=off` neither.
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
      logError('a file was not counted against the quota', { kind: what.kind }, error);
      return true;
    });
  return await Promise.race([counted, sleep(patienceMs, true, { ref: false })]);
}

/** For an applicant whose file is not taken now, though nothing is wrong with it. */
export function tooManyBytes(kind: 'upload' | 'resume'): Refusal {
  const smaller = kind === 'upload' ? ` send a file under ${partBytes / 1_000_000} MB,` : '';
  return new Refusal(
    'too_many_requests',
    `We received too many files in the last hour. Try again in an hour,${smaller} or email your resume to ${site.hrEmail}.`,
    { headers: { 'retry-after': '3600' } },
  );
}

/** With less free space than that, only inquiries are taken: each is small, and none may be lost. */
export const floorBytes = 200 * megabyte;

/**
 * Keeps the rest of the disk for inquiries.
 * @throws {Refusal} `storage_full` where a file may not be stored any more.
 */
export async function requireSpace(who: 'public' | 'admin', { freeBytes }: Services): Promise<void> {
  if (await hasSpace({ freeBytes })) return;
  throw new Refusal(
    'storage_full',
    who === 'admin'
      ? `The server's disk is almost full, so files can't be stored. Free at least ${floorBytes / megabyte} MB on the server, then try again.`
      : `We can't store files right now. Please email your file to ${site.hrEmail}.`,
  );
}

/** False where the disk is so full that only inquiries are taken. */
export async function hasSpace({ freeBytes }: Pick<Services, 'freeBytes'>): Promise<boolean> {
  const free = await freeBytes().catch((error: unknown) => {
    logError('the free space could not be read', {}, error);
    return null;
  });
  return free === null || free >= floorBytes;
}
