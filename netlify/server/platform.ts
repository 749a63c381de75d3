import { readFile } from 'node:fs/promises';
import type { Store } from '@netlify/blobs';
import type { Rehearsal } from '../../src/domain/site/site-status.ts';
import type { PasswordCost } from './auth/passwords.ts';
import type { Database } from './db/database.ts';
import type { Env } from './env.ts';

/** A byte range of a file: the offsets of its first and last byte, counted from 0. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The bytes of a file: a stream for a large file, an array for a small one. */
export type Content = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;

/**
 * A blob store. Netlify Blobs can only read whole blobs. The store of a self-hosted server can also read byte ranges.
 */
export interface BlobStore extends Store {
  /** Reads a blob or a byte range, with at most one chunk in memory. @returns null if there is no such blob. */
  read?(key: string, part?: Part): Promise<Content | null>;
}

/** The backups that a self-hosted server makes by itself. */
export interface Backups {
  state(): {
    /** The time of the newest backup; ISO 8601, UTC. Null if there is none. */
    readonly newestAt: string | null;
    readonly rehearsal: Rehearsal | null;
    /** Whether the last attempt failed. */
    readonly fails: boolean;
  };
}

/**
 * The services that a self-hosted server provides to the functions: its environment, a database inside the process, and
 * a blob store in a folder. On Netlify there is no such object. The functions then use the libSQL server and Netlify
 * Blobs, and their bundles do not contain the native database library.
 */
export interface Platform {
  readonly env: Env;
  /** Returns the database inside this process, the same one for each call. Undefined if LIBSQL_URL names a server. */
  readonly openEmbeddedDatabase?: () => Promise<Database>;
  readonly openBlobStore: (name: string) => BlobStore;
  /** Returns the free space of the disk that holds the data, in bytes. */
  readonly freeBytes?: () => Promise<number>;
  /**
   * Returns a file of the build as a response, or null if there is none. Undefined if the server serves only the API.
   */
  readonly readSiteFile?: (path: string) => Promise<Response | null>;
  /** What the health report says if the last build failed and an earlier build is served. */
  readonly buildFault?: string | null;
  /** The backups that the server makes by itself. Undefined without `BACKUP_DIR` and `BACKUP_URL`. */
  readonly backups?: Backups;
  /** The cost of password hashes. Only tests set it. */
  readonly passwordCost?: PasswordCost;
  /** Purges cached responses that have one of these tags, as Netlify's CDN does. */
  readonly purgeTags?: (tags: readonly string[]) => void;
}

// Astro's server bundle and the functions are separate module graphs in one process, so they would not share a module
// variable. They share `globalThis`.
const key = Symbol.for('southbay.platform');
type Holder = { [key]?: Platform };

/** Sets the platform. A self-hosted server calls this once, before the first request. */
export function lendPlatform(platform: Platform | undefined): void {
  (globalThis as Holder)[key] = platform;
}

/** Returns the platform of a self-hosted server, or undefined on Netlify. */
export function lentPlatform(): Platform | undefined {
  return (globalThis as Holder)[key];
}

/**
 * Returns a function that calls `make` only once, and again after a failure. In a process that starts one server after
 * another, as tests do, it calls `make` once for each server.
 */
export function oncePerPlatform<Given, Made>(
  make: (given: Given, platform: Platform | undefined) => Promise<Made>,
): (given: Given) => Promise<Made> {
  let latest: { readonly platform: Platform | undefined; readonly made: Promise<Made> } | undefined;
  return (given) => {
    const platform = lentPlatform();
    if (latest && latest.platform === platform) return latest.made;
    const made = make(given, platform).catch((error: unknown) => {
      if (latest?.made === made) latest = undefined;
      throw error;
    });
    latest = { platform, made };
    return made;
  };
}

/**
 * Reads a page of the build, with its headers. A self-hosted server provides the page. Otherwise the function requests
 * the page by its URL, from Netlify's CDN or, in development, from Astro's server, which first compiles it.
 * @returns null if the page is missing or cannot be read.
 */
export async function sitePage(path: string, request: Request): Promise<Response | null> {
  try {
    const platform = lentPlatform();
    const signal = platform ? request.signal : AbortSignal.timeout(5_000);
    const response = platform?.readSiteFile
      ? await platform.readSiteFile(path)
      : await fetch(new URL(path, request.url), { signal, redirect: 'error' });
    return response?.ok ? response : null;
  } catch {
    return null;
  }
}

/**
 * Reads a file of the build like {@link sitePage}, but on Netlify first looks for a copy next to the function
 * (host/build/output.ts).
 * @returns null if the file is missing or cannot be read.
 */
export async function siteFile(path: string, request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!lentPlatform()?.readSiteFile) {
    const copy = await readFile(new URL(`.${path}`, import.meta.url)).catch(() => null);
    if (copy) return new Uint8Array(copy);
  }
  const response = await sitePage(path, request);
  return response && new Uint8Array(await response.arrayBuffer().catch(() => new ArrayBuffer()));
}
