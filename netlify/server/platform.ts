import type { Store } from '@netlify/blobs';
import type { Database } from './db/database.ts';
import type { Env } from './env.ts';

/** A part of a file: the numbers of its first and its last byte. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The bytes of a file, as a stream unless they are few. */
export type Content = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;

/** A blob store. The client of Netlify Blobs reads whole blobs only; a host's own store can also read parts. */
export interface BlobStore extends Store {
  /** A blob, or a part of it, of which at most one chunk is in memory; null where there is no such blob. */
  read?(key: string, part?: Part): Promise<Content | null>;
}

/**
 * What a host of its own lends to the functions, beyond what Netlify gives every function: its completed environment, a
 * database inside the process, a blob store on a folder. On Netlify nothing is lent and the functions find the libSQL
 * server and Netlify Blobs by themselves, so that the native database library stays out of their bundles.
 */
export interface Platform {
  readonly env: Env;
  /** The database inside this process, the same one at each call; undefined where LIBSQL_URL names a server. */
  readonly openEmbeddedDatabase?: () => Promise<Database>;
  /** Opens a named blob store. */
  readonly openBlobStore: (name: string) => BlobStore;
  /** Free space of the disk that holds the data, in bytes. */
  readonly freeBytes?: () => Promise<number>;
  /** Answers a path with a file of the build, or null without one. Undefined on Netlify, where the site itself is asked. */
  readonly readSiteFile?: (path: string) => Promise<Response | null>;
  /** Purges kept answers with one of these tags, as Netlify's CDN does. */
  readonly purgeTags?: (tags: readonly string[]) => void;
}

// Astro's server bundle and the functions are separate module graphs in one process: a module variable would not be
// shared between them.
const key = Symbol.for('southbay.platform');
type Holder = { [key]?: Platform };

/** Called once by the host, before the first request. */
export function lendPlatform(platform: Platform | undefined): void {
  (globalThis as Holder)[key] = platform;
}

/** The host's platform, or undefined on Netlify. */
export function lentPlatform(): Platform | undefined {
  return (globalThis as Holder)[key];
}
