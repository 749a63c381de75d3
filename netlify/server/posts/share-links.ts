import * as z from 'zod/mini';
import type { ShareLink } from '../../../src/domain/post.ts';
import { readToken, signToken } from '../auth/tokens.ts';
import type { Services } from '../services.ts';
import type { StoredShareLink } from './share-link-store.ts';

type LinkServices = Pick<Services, 'env' | 'now'> & { readonly stores: Pick<Services['stores'], 'shareLinks'> };

// The link contains the id in a token that is signed with a key from SESSION_SECRET. This secret is not in the
// database, so a stolen copy of the database is not enough to create a working link.
export async function shareLinkOf(
  { id, createdAt, expiresAt }: StoredShareLink,
  services: LinkServices,
): Promise<ShareLink> {
  const token = await signToken('shared preview', { id }, Date.parse(expiresAt) - services.now().getTime(), services);
  return { id, path: `/blog/preview/${token}`, createdAt, expiresAt };
}

/** Returns what a link shows, and when it expires; null if the link was revoked or has expired. */
export async function sharedBy(token: string, services: LinkServices): Promise<StoredShareLink | null> {
  const opened = await readToken('shared preview', token, z.object({ id: z.string() }), services);
  return opened && (await services.stores.shareLinks.get(opened.id, services.now().toISOString()));
}
