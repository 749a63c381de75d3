import { randomUUID } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import * as z from 'zod/mini';
import { keptDays } from '../../../src/domain/retention.ts';
import type { ShareLink } from '../../../src/domain/share-link.ts';
import { readToken, signToken } from '../auth/tokens.ts';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, record, sql } from '../db/database.ts';
import { Refusal } from '../runtime/refusal.ts';
import type { Services } from '../services.ts';

/** The most active links of one post. */
const mostActive = 20;
const lifetimeMs = keptDays.shareLink * millisecondsInDay;
const claims = z.object({ id: z.string() });

/** A post, saved or not, and the admin whose unsaved changes a link shows. */
interface Shared {
  readonly email: string;
  /** The id of the post, or of the unsaved changes while the post is new. */
  readonly key: string;
}

interface StoredShareLink extends Shared {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Links that show a draft, and later the saved post, to people who are not signed in. */
export function shareLinkStore(database: Database) {
  return {
    /** @returns false if the post has too many active links. */
    async create({ id, email, key, createdAt, expiresAt }: StoredShareLink): Promise<boolean> {
      const [inserted] = await database.write(
        sql`INSERT INTO share_links (id, email, key, created_at, expires_at)
            SELECT ${id}, ${email}, ${key}, ${createdAt}, ${expiresAt}
            WHERE (SELECT count(*) FROM share_links
                   WHERE email = ${email} AND key = ${key} AND expires_at > ${createdAt}) < ${mostActive}`,
      );
      return inserted?.rowsAffected === 1;
    },

    /** Returns a link, or null if it was revoked or has expired. */
    async get(id: string, now: string): Promise<StoredShareLink | null> {
      const [row] = await database.read(sql`SELECT * FROM share_links WHERE id = ${id} AND expires_at > ${now}`);
      return row ? record<StoredShareLink>(row) : null;
    },

    /** Returns the active links, newest first. */
    async listOf({ email, key }: Shared, now: string): Promise<StoredShareLink[]> {
      const rows = await database.read(
        sql`SELECT * FROM share_links WHERE email = ${email} AND key = ${key} AND expires_at > ${now}
            ORDER BY created_at DESC, id`,
      );
      return rows.map((row) => record<StoredShareLink>(row));
    },

    /** Revokes a link. @returns false if the admin has no such link. */
    async remove(id: string, { email, key }: Shared): Promise<boolean> {
      const [removed] = await database.write(
        sql`DELETE FROM share_links WHERE id = ${id} AND email = ${email} AND key = ${key}`,
      );
      return removed?.rowsAffected === 1;
    },

    /** Moves the links of a new post's draft to the post, which was saved for the first time. */
    async moveToPost({ email, key }: Shared, postId: string): Promise<void> {
      await database.write(sql`UPDATE share_links SET key = ${postId} WHERE email = ${email} AND key = ${key}`);
    },

    async removeExpired(now: string): Promise<void> {
      await database.write(deleteSome('share_links', 'expires_at <= ?', now));
    },
  };
}

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
