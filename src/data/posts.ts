import { readAtBuild } from '../../netlify/server/db/at-build.ts';
import { openDatabase } from '../../netlify/server/db/open.ts';
import { cachedUntilPurged } from '../../netlify/server/http/respond.ts';
import { logError } from '../../netlify/server/log.ts';
import type { PostAddress, PostLink } from '../../netlify/server/posts/published.ts';
import { postStore } from '../../netlify/server/posts/store.ts';
import { longestSlug } from '../domain/posts/post-input.ts';
import type { PublicPost, PublishedPage } from '../domain/posts/post.ts';

export type PostCard = PublishedPage['data'][number];

/** Number of posts on one page of the blog: the first has a row to itself, and 12 fill rows of two and of three. */
const pageSize = 13;

export interface BlogPage {
  readonly posts: readonly PostCard[];
  /** Page number, from 1. */
  readonly number: number;
  /** Number of pages; 1 while no post is published. */
  readonly count: number;
}

/** For a build: returns the newest published posts with their content, or an empty array without a database. */
export async function newestPostsAtBuild(): Promise<PostCard[]> {
  const read = await readAtBuild(process.env, (database) =>
    postStore(database).published({ limit: 100, view: 'full' }),
  );
  return read?.data ?? [];
}

type Context = Parameters<typeof openDatabase>[0];

/**
 * Reads posts while a page is rendered on request.
 * @param context the context of the request, from Netlify or the self-hosted server.
 * @returns null if the database could not be read.
 */
async function fromPosts<T>(
  context: Context,
  read: (posts: ReturnType<typeof postStore>) => Promise<T>,
): Promise<T | null> {
  try {
    const { database } = await openDatabase(context);
    return await read(postStore(database));
  } catch (error) {
    logError('posts could not be read', {}, error);
    return null;
  }
}

/**
 * Reads a page of the blog.
 * @param number page number from the URL, from 1.
 * @returns "nothing" if there is no such page, "no answer" if the database could not be read.
 */
export async function blogPage(number: string, context: Context): Promise<BlogPage | 'nothing' | 'no answer'> {
  if (!/^[1-9]\d{0,5}$/.test(number)) return 'nothing';
  const page = Number(number);
  const found = await fromPosts(context, async (store) => {
    const [posts, total] = await Promise.all([
      store.publishedFrom({ limit: pageSize, offset: (page - 1) * pageSize }),
      store.publishedCount(),
    ]);
    return { posts, number: page, count: Math.max(1, Math.ceil(total / pageSize)) };
  });
  if (found === null) return 'no answer';
  return found.number > found.count ? 'nothing' : found;
}

/** A post with the next newer and the next older post, or the slug to redirect to, or why there is no post. */
export type FoundPost =
  { post: PublicPost; newer: PostLink | null; older: PostLink | null } | { movedTo: string } | 'nothing' | 'no answer';

/** Finds a post by the slug in the address of its page. */
export async function postUnder(slug: string, context: Context): Promise<FoundPost> {
  if (slug.length > 4 * longestSlug) return 'nothing';
  const known = slug.normalize('NFC').toLowerCase();
  const found = await fromPosts(context, async (posts): Promise<FoundPost> => {
    const post = await posts.publishedUnder(known);
    if (post) return known === slug ? { post, ...(await posts.neighbors(post.id)) } : { movedTo: known };
    const movedTo = await posts.movedTo(known);
    return movedTo === null ? 'nothing' : { movedTo };
  });
  return found ?? 'no answer';
}

/** Returns the newest public posts with their content, for feeds; null if the database could not be read. */
export function newestPosts(limit: number, context: Context): Promise<PublicPost[] | null> {
  return fromPosts(context, async (posts) => {
    const { data } = await posts.published({ limit, view: 'full' });
    return data.map((post) => ({ ...post, content: post.content ?? '' }));
  });
}

/**
 * Number of posts in one sitemap file. The protocol allows 50,000 URLs, but Netlify limits a response to 6 MB, and a
 * slug of 120 characters in a non-Latin script makes an entry of 1.2 KB.
 */
const postsInSitemap = 4_000;

/** Returns the number of sitemap files for posts, at least one; null if the database could not be read. */
export function sitemapCount(context: Context): Promise<number | null> {
  return fromPosts(context, async (posts) => Math.max(1, Math.ceil((await posts.publishedCount()) / postsInSitemap)));
}

/**
 * Returns the posts of one sitemap file; null if the database could not be read.
 * @param file file number, from 1.
 */
export function sitemapPosts(file: number, context: Context): Promise<PostAddress[] | null> {
  return fromPosts(context, (posts) => posts.addresses({ limit: postsInSitemap, offset: (file - 1) * postsInSitemap }));
}

/** Headers for a blog page that exists. */
const kept = {
  ...cachedUntilPurged('posts'),
  // Stores one copy for all query strings, because the page ignores them. Only the parameter `_`, which nothing uses,
  // would select another copy.
  'netlify-vary': 'query=_',
};

/**
 * Sets the status and the headers of a page that shows posts.
 * @param found the data for the page. "nothing" if there is no such page, "no answer" if the database could not be
 *   read.
 */
export function cachePosts(response: { status?: number; headers: Headers }, found: object | 'nothing' | 'no answer') {
  const isFound = typeof found === 'object';
  response.status = isFound ? 200 : found === 'nothing' ? 404 : 503;
  const headers = isFound ? kept : { 'cache-control': 'private, no-store' };
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
}
