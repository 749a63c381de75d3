import { purgeCache } from '@netlify/functions';
import { logError } from './log.ts';
import { lentPlatform } from './platform.ts';
import type { Services } from './services.ts';

/**
 * Makes a change visible: purges what the CDN holds under the tags, and asks for a rebuild where one is configured. Never
 * throws: the change itself is stored, and pages revalidate their live texts by themselves.
 */
export async function announceChange(tags: string[], { env }: Services): Promise<void> {
  await purgeTags(tags);
  if (env.BUILD_HOOK_URL) {
    await fetch(env.BUILD_HOOK_URL, { method: 'POST', signal: AbortSignal.timeout(10_000) }).catch((error: unknown) =>
      logError('rebuild not asked for', {}, error),
    );
  }
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
