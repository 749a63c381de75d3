import { readAtBuild } from '../../netlify/server/database-at-build.ts';
import { openDatabase } from '../../netlify/server/db/open.ts';
import { logError } from '../../netlify/server/log.ts';
import { type PostAddress, type PostLink, postStore } from '../../netlify/server/stores/posts.ts';
import { longestSlug } from '../domain/post-text.ts';
import type { PublicPost, PublishedPage } from '../domain/post.ts';

export type PostCard = PublishedPage['data'][number];

/** Posts on one page of the listing. */
const pageSize = 12;

/** One page of the listing as it was built. */
export interface BuiltPage {
  posts: PostCard[];
  /** What the API is asked with for the same page; undefined for the first. */
  cursor: string | undefined;
}

let built: Promise<BuiltPage[] | null> | undefined;

/**
 * The published posts by pages, newest first, as the database holds them when the site is built; one empty page where there are none.
 * @returns null where there was no database to ask.
 */
export function postPages(): Promise<BuiltPage[] | null> {
  built ??= readAtBuild(process.env, async (database) => {
    const posts = postStore(database);
    const pages: BuiltPage[] = [];
    let cursor: string | undefined;
    do {
      const { data, nextCursor } = await posts.published({ limit: pageSize, cursor, view: 'summary' });
      pages.push({ posts: data, cursor });
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    return pages;
  });
  return built;
}

/** The newest published posts with their content, as the database holds them when the site is built; none without a database. */
export async function newestPostsAtBuild(): Promise<PostCard[]> {
  const read = await readAtBuild(process.env, (database) =>
    postStore(database).published({ limit: 100, view: 'full' }),
  );
  return read?.data ?? [];
}

type Context = Parameters<typeof openDatabase>[0];

/** The post with its neighbors, the slug to which it moved, or nothing. */
export type FoundPost =
  { post: PublicPost; newer: PostLink | null; older: PostLink | null } | { movedTo: string } | 'nothing' | 'no answer';

/** Finds a post while its page is rendered on request. @param context Netlify's, or the host's. */
export async function postUnder(slug: string, context: Context): Promise<FoundPost> {
  try {
    const { database } = await openDatabase(context);
    const posts = postStore(database);
    if (slug.length > 4 * longestSlug) return 'nothing';
    const known = slug.normalize('NFC').toLowerCase();
    const post = await posts.publishedUnder(known);
    if (post) return known === slug ? { post, ...(await posts.neighbors(post.id)) } : { movedTo: known };
    const movedTo = await posts.movedTo(known);
    return movedTo === null ? 'nothing' : { movedTo };
  } catch (error) {
    logError('a post could not be read', {}, error);
    return 'no answer';
  }
}

/** The newest public posts with their content, for feeds. @returns null where the database does not answer. */
export function newestPosts(limit: number, context: Context): Promise<PublicPost[] | null> {
  return answered(async () => {
    const { database } = await openDatabase(context);
    const { data } = await postStore(database).published({ limit, view: 'full' });
    return data.map((post) => ({ ...post, content: post.content ?? '' }));
  });
}

/**
 * Posts in one file of the sitemap. The protocol allows 50,000 addresses, and Netlify answers of 6 MB: an address of 120
 * letters of another script takes 1.2 KB.
 */
const postsInSitemap = 4_000;

/** How many files the posts' sitemap has, at least one. @returns null where the database does not answer. */
export function sitemapCount(context: Context): Promise<number | null> {
  return answered(async () => {
    const { database } = await openDatabase(context);
    return Math.max(1, Math.ceil((await postStore(database).publishedCount()) / postsInSitemap));
  });
}

/** The posts of one file of the sitemap. @param file counted from 1. @returns null where the database does not answer. */
export function sitemapPosts(file: number, context: Context): Promise<PostAddress[] | null> {
  return answered(async () => {
    const { database } = await openDatabase(context);
    return await postStore(database).addresses({ limit: postsInSitemap, offset: (file - 1) * postsInSitemap });
  });
}

async function answered<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    logError('posts could not be read', {}, error);
    return null;
  }
}
