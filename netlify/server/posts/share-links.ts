import { randomUUID } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import * as z from 'zod/mini';
import type { ShareLink } from '../../../src/domain/posts/post.ts';
import { keptDays } from '../../../src/domain/submissions/retention.ts';
import { type TokenServices, readToken, signToken } from '../auth/tokens.ts';
import { type Database, all, change, insert, one, sql } from '../db/database.ts';

/** The most active links of one post. */
const mostActive = 20;

/** A post, saved or not, and the admin whose unsaved changes a link shows. */
interface Shared {
  readonly email: string;
  /** The id of the post, or of the unsaved changes while the post is new. */
  readonly key: string;
}

type LinkRow = Omit<ShareLink, 'path'>;

/**
 * Links that show a draft, and later the saved post, to people who are not signed in. A link contains its id in a token
 * that is signed with a key from SESSION_SECRET. This secret is not in the database, so a stolen copy of the database is
 * not enough to create a working link.
 */
export function shareLinkStore(database: Database, services: TokenServices) {
  const now = () => services.now().toISOString();
  const withPath = async ({ id, createdAt, expiresAt }: LinkRow): Promise<ShareLink> => {
    const lifetime = Date.parse(expiresAt) - services.now().getTime();
    const token = await signToken('shared preview', { id }, lifetime, services);
    return { id, path: `/blog/preview/${token}`, createdAt, expiresAt };
  };

  return {
    /** Creates a link. @returns null if the post has too many active links. */
    async create({ email, key }: Shared): Promise<ShareLink | null> {
      const [id, createdAt] = [randomUUID(), now()];
      const expiresAt = new Date(Date.parse(createdAt) + keptDays.shareLink * millisecondsInDay).toISOString();
      const active = sql`SELECT count(*) FROM share_links
        WHERE email = ${email} AND key = ${key} AND expires_at > ${createdAt}`;
      const link = insert('share_links', { id, email, key, createdAt, expiresAt }, sql`(${active}) < ${mostActive}`);
      return (await change(database, link)) === 1 ? await withPath({ id, createdAt, expiresAt }) : null;
    },

    /** Returns what a link shows, and when it expires; null if the link was revoked or has expired. */
    async open(token: string): Promise<(Shared & LinkRow) | null> {
      const opened = await readToken('shared preview', token, z.object({ id: z.string() }), services);
      return (
        opened &&
        (await one(database, sql`SELECT * FROM share_links WHERE id = ${opened.id} AND expires_at > ${now()}`))
      );
    },

    /** Returns the active links that an admin created for a post, newest first. */
    async listOf({ email, key }: Shared): Promise<ShareLink[]> {
      const active = sql`SELECT * FROM share_links WHERE email = ${email} AND key = ${key} AND expires_at > ${now()}
        ORDER BY created_at DESC, id`;
      return await Promise.all((await all<LinkRow>(database, active)).map(withPath));
    },

    /** Revokes a link. @returns false if the admin has no such link. */
    remove: async (id: string, { email, key }: Shared): Promise<boolean> =>
      (await change(database, sql`DELETE FROM share_links WHERE id = ${id} AND email = ${email} AND key = ${key}`)) ===
      1,

    /** Moves the links of a new post's draft to the post, which was saved for the first time. */
    async moveToPost({ email, key }: Shared, postId: string): Promise<void> {
      await database.write(sql`UPDATE share_links SET key = ${postId} WHERE email = ${email} AND key = ${key}`);
    },
  };
}
