import { purgeCache } from '@netlify/functions';
import type { Publishing } from '../../../src/domain/section.ts';
import { logError } from '../log.ts';
import { lentPlatform } from '../platform.ts';
import type { Services } from '../services.ts';

/**
 * Makes a stored change visible: purges the CDN's responses with these tags, and requests a rebuild if a build hook is
 * configured. Never throws, because the change is already stored. Until a prerendered page is rebuilt, a script loads
 * the new texts into the page.
 */
export async function announceChange(tags: string[], services: Services): Promise<void> {
  await purgeTags(tags);
  await askForBuild(services);
}

/** Requests a rebuild if a build hook is configured. Never throws. */
export async function askForBuild({ env }: Services): Promise<void> {
  if (!env.BUILD_HOOK_URL) return;
  await fetch(env.BUILD_HOOK_URL, { method: 'POST', signal: AbortSignal.timeout(10_000) }).catch((error: unknown) =>
    logError('rebuild not requested', {}, error),
  );
}

/** Returns how a change reaches prerendered pages: through the self-hosted server, a rebuild, or the next deploy. */
export function publishingOf({ env }: Services): Publishing {
  if (lentPlatform()?.purgeTags) return 'server';
  return env.BUILD_HOOK_URL ? 'build' : 'deploy';
}

/** Purges these tags from the CDN or the self-hosted server's cache. No rebuild is requested. Never throws. */
export async function purgeTags(tags: string[]): Promise<void> {
  const host = lentPlatform();
  if (host) {
    host.purgeTags?.(tags);
    return;
  }
  await purgeCache({ tags }).catch((error: unknown) => logError('cache not purged', { tags: tags.join(' ') }, error));
}
