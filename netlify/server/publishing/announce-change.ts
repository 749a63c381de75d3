import { purgeCache } from '@netlify/functions';
import type { Publishing } from '../../../src/domain/site/section.ts';
import { copyrightYear } from '../../../src/domain/text/text.ts';
import { site } from '../../../src/site.config.ts';
import { logError } from '../log.ts';
import { lentPlatform } from '../platform.ts';
import type { Services } from '../services.ts';
import type { LastRun } from '../status/run-store.ts';
import { within } from '../time/within.ts';

/** Time limit of a purge or a build hook in milliseconds, shorter than the time that the scheduled work gives to a job. */
const requestMs = 3_000;

/**
 * Makes a stored change visible: purges the CDN's responses with these tags, and requests a rebuild if a build hook is
 * configured. Never throws, because the change is already stored. Until a prerendered page is rebuilt, a script loads
 * the new texts into the page.
 */
export async function announceChange(tags: string[], services: Services): Promise<void> {
  await purgeTags(tags, services);
  await askForBuild(services);
}

/** The shortest time between two builds, because a host bills each one. */
const buildPauseMs = 10 * 60_000;

/**
 * Requests a rebuild if a build hook is configured. A request within ten minutes of the last one, and one that failed,
 * wait for the scheduled work ({@link askForWaitingBuild}). Never throws.
 */
async function askForBuild({ env, stores, now }: Services): Promise<void> {
  if (!env.BUILD_HOOK_URL) return;
  try {
    if (!(await stores.runs.beginBuild(now(), buildPauseMs))) return;
    const signal = AbortSignal.timeout(requestMs);
    const { ok, status } = await fetch(env.BUILD_HOOK_URL, { method: 'POST', signal });
    if (!ok) throw new Error(`The build hook answered ${status}.`);
  } catch (error) {
    logError('rebuild not requested', {}, error);
    await stores.runs.noteFailedBuild().catch((failure: unknown) => logError('rebuild not recorded', {}, failure));
  }
}

/** Requests a build that waits or that failed, if ten minutes have passed since the last request. */
export async function askForWaitingBuild(last: LastRun | null, services: Services): Promise<void> {
  if (last?.build === 'waits' || last?.build === 'failed') await askForBuild(services);
}

/** Returns how a change reaches prerendered pages: through the self-hosted server, a rebuild, or the next deploy. */
export function publishingOf({ env }: Services): Publishing {
  if (lentPlatform()?.purgeTags) return 'server';
  return env.BUILD_HOOK_URL ? 'build' : 'deploy';
}

/**
 * Purges these tags from the CDN or the self-hosted server's cache. No rebuild is requested. Never throws: the scheduled
 * work repeats a purge that failed.
 */
export async function purgeTags(tags: string[], { stores, now }: Services): Promise<void> {
  const host = lentPlatform();
  if (host) return host.purgeTags?.(tags);
  try {
    await within(purgeCache({ tags }), requestMs);
  } catch (error) {
    logError('cache not purged', { tags: tags.join(' ') }, error);
    const noted = stores.runs.noteUnpurged(tags, now().toISOString());
    await noted.catch((failure: unknown) => logError('failed purge not recorded', {}, failure));
  }
}

/** Purges the tags whose purge failed. Otherwise, Netlify's CDN would show the former pages for up to a year. */
export async function repeatPurges({ stores }: Services): Promise<void> {
  const unpurged = await stores.runs.unpurged();
  if (unpurged.length === 0) return;
  await purgeCache({ tags: unpurged.map(({ tag }) => tag) });
  await stores.runs.forgetUnpurged(unpurged);
}

/** The year in which Netlify's bundle was built (netlify/bundle.ts), as in the copyright line of that build. */
declare const BUILT_YEAR: string | undefined;

/**
 * Requests a build once an hour while the pages show last year's copyright. The requests stop when the new build
 * replaces this code, because it contains the new year. A self-hosted server corrects the year itself
 * (host/http/live-pages.ts).
 */
export async function keepYear(
  services: Services,
  builtYear = typeof BUILT_YEAR === 'undefined' ? null : BUILT_YEAR,
): Promise<void> {
  const now = services.now();
  if (builtYear === null || copyrightYear(now, site.timeZone) === builtYear || now.getUTCMinutes() !== 0) return;
  await askForBuild(services);
}
