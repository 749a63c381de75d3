import { purgeCache } from '@netlify/functions';
import type { Publishing } from '../../src/domain/section.ts';
import { logError } from './log.ts';
import { lentPlatform } from './platform.ts';
import type { Services } from './services.ts';

/**
 * Makes a change visible: purges what the CDN holds under the tags, and asks for a rebuild if one is configured. Never
 * throws, because the change is stored, and a page that was built before asks for its texts in the browser.
 */
export async function announceChange(tags: string[], services: Services): Promise<void> {
  await purgeTags(tags);
  await askForBuild(services);
}

/** Asks for a rebuild if one is configured. Never throws. */
export async function askForBuild({ env }: Services): Promise<void> {
  if (!env.BUILD_HOOK_URL) return;
  await fetch(env.BUILD_HOOK_URL, { method: 'POST', signal: AbortSignal.timeout(10_000) }).catch((error: unknown) =>
    logError('rebuild not asked for', {}, error),
  );
}

/** How a change gets into the pages that a build made. */
export function publishingOf({ env }: Services): Publishing {
  if (lentPlatform()?.purgeTags) return 'server';
  return env.BUILD_HOOK_URL ? 'build' : 'deploy';
}

/** Purges the tags from the CDN or the host's cache, for changes that need no build. Never throws. */
export async function purgeTags(tags: string[]): Promise<void> {
  const host = lentPlatform();
  if (host) {
    host.purgeTags?.(tags);
    return;
  }
  await purgeCache({ tags }).catch((error: unknown) => logError('cache not purged', { tags: tags.join(' ') }, error));
}
