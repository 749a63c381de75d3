import { readAtBuild } from '../../netlify/server/database-at-build.ts';
import { openDatabase } from '../../netlify/server/db/open.ts';
import { logError } from '../../netlify/server/log.ts';
import { type PostAddress, type PostLink, postStore } from '../../netlify/server/stores/posts.ts';
import { longestSlug } from '../domain/post-text.ts';
import type { PublicPost, PublishedPage } from '../domain/post.ts';

export type PostCard = PublishedPage['data'][number];

/** Posts on one page of the blog. */
const pageSize = 12;

/** A page of the blog. */
export interface BlogPage {
  readonly posts: readonly PostCard[];
  /** From 1. */
  readonly number: number;
  /** How many pages there are; 1 while nothing is published. */
  readonly count: number;
}

/** The newest published posts with their content, as the database holds them when the site is built; none without a database. */
export async function newestPostsAtBuild(): Promise<PostCard[]> {
  const read = await readAtBuild(process.env, (database) =>
    postStore(database).published({ limit: 100, view: 'full' }),
  );
  return read?.data ?? [];
}

type Context = Parameters<typeof openDatabase>[0];

/**
 * Reads a page of the blog while it is rendered on request.
 * @param number as the address gives it, from 1.
 * @param context Netlify's, or the host's.
 */
export async function blogPage(number: string, context: Context): Promise<BlogPage | 'nothing' | 'no answer'> {
  if (!/^[1-9]\d{0,5}$/.test(number)) return 'nothing';
  const page = Number(number);
  const found = await answered(async () => {
    const { database } = await openDatabase(context);
    const store = postStore(database);
    const [posts, total] = await Promise.all([
      store.publishedFrom({ limit: pageSize, offset: (page - 1) * pageSize }),
      store.publishedCount(),
    ]);
    return { posts, number: page, count: Math.max(1, Math.ceil(total / pageSize)) };
  });
  if (found === null) return 'no answer';
  return found.number > found.count ? 'nothing' : found;
}

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
