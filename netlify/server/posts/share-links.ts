import { randomUUID } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import * as z from 'zod/mini';
import { keptDays } from '../../../src/domain/retention.ts';
import type { ShareLink } from '../../../src/domain/post.ts';
import { readToken, signToken } from '../auth/tokens.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { Shared, StoredShareLink } from './share-link-store.ts';

const lifetimeMs = keptDays.shareLink * millisecondsInDay;
const claims = z.object({ id: z.string() });

type LinkServices = Pick<Services, 'env' | 'now'> & { readonly stores: Pick<Services['stores'], 'shareLinks'> };

/**
 * Creates a link that opens one post without signing in, until it expires or the admin revokes the link.
 * @throws {Refusal} `conflict` if the post has too many active links.
 */
export async function share({ email, key }: Shared, services: LinkServices): Promise<ShareLink> {
  const created = services.now();
  const stored: StoredShareLink = {
    id: randomUUID(),
    email,
    key,
    createdAt: created.toISOString(),
    expiresAt: new Date(created.getTime() + lifetimeMs).toISOString(),
  };
  if (!(await services.stores.shareLinks.create(stored))) {
    throw new Refusal('conflict', 'This post has too many active share links. Revoke one of them first.');
  }
  return await shareLinkOf(stored, services);
}

/** Lists the active links that an admin created for a post. */
export async function shareLinksOf(shared: Shared, services: LinkServices): Promise<ShareLink[]> {
  const stored = await services.stores.shareLinks.listOf(shared, services.now().toISOString());
  return await Promise.all(stored.map((link) => shareLinkOf(link, services)));
}

// The link contains the id in a token that is signed with a key from SESSION_SECRET. This secret is not in the
// database, so a stolen copy of the database is not enough to create a working link.
async function shareLinkOf({ id, key, createdAt, expiresAt }: StoredShareLink, services: LinkServices) {
  const token = await signToken('shared preview', { id }, Date.parse(expiresAt) - services.now().getTime(), services);
  return { id, path: `/blog/preview/${key}?share=${token}`, createdAt, expiresAt };
}

/** Returns what a link shows, and when it expires; null if the link was revoked or has expired. */
export async function sharedBy(token: string, services: LinkServices): Promise<(Shared & { until: Date }) | null> {
  const opened = await readToken('shared preview', token, claims, services);
  const link = opened && (await services.stores.shareLinks.get(opened.id, services.now().toISOString()));
  return link && { email: link.email, key: link.key, until: new Date(link.expiresAt) };
}
