import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fresh from 'fresh';
import { LRUCache } from 'lru-cache';
import { lookup } from 'mrmime';
import { FastResponse } from 'srvx';
import { rangeHeaders, rangeOf } from '../netlify/server/http/range.ts';
import { onlyReads } from '../netlify/server/runtime/refusal.ts';
import { functionPolicy } from '../netlify/server/http/respond.ts';
import { securityHeaders } from '../src/domain/security-headers.ts';
import { type Compression, acceptedEncodings } from './accepted-encodings.ts';
import { canonicalPath } from './canonical-path.ts';
import { fileStream } from './file-stream.ts';
import { isRead } from './is-read.ts';
import type { Rules } from './rules.ts';

/**
 * Serves the build's output, indexed once and cached in memory. Common libraries (sirv, send, srvx/static) are not
 * suitable: they compute ETags from the modification time of a file, so each build would invalidate the caches of all
 * visitors. Other libraries handle content types, ranges, freshness and negotiation.
 */
export interface StaticFiles {
  /**
   * Returns the canonical path of a file, such as `/contact` for `/contact.html` and `/Contact`.
   * @param pathname as `canonicalPath` spells it.
   * @returns null if the file does not exist.
   */
  canonical(pathname: string): string | null;
  /**
   * Responds to GET and HEAD requests for a file.
   * @param pathname as {@link canonical} returns it.
   * @param status the status of the response, such as 404 if a redirect rule serves this file for a missing path.
   * @returns null if the file does not exist.
   * @throws {Refusal} `method_not_allowed` for other methods.
   */
  answer(request: Request, pathname: string, status?: number): Promise<Response | null>;
  notFound(request: Request): Promise<Response>;
  /** The canonical paths of all files. */
  readonly paths: readonly string[];
  /** The current size of the files in memory, in bytes. */
  readonly keptBytes: number;
}

export type Encoding = Compression | 'identity';
const suffixes = { br: '.br', gzip: '.gz', identity: '' } as const satisfies Record<Encoding, string>;

export interface StoredFile {
  readonly path: string;
  /** The canonical path of the file. */
  readonly address: string;
  /**
   * The headers of the file, without ETag and length. They are computed at the first request, so a start does not apply
   * the rules for each page to each file.
   */
  readonly headers: ReadonlyMap<string, string>;
  /** Sizes of the file and of its compressed forms, in bytes. */
  readonly sizes: ReadonlyMap<Encoding, number>;
  /** The content to serve instead of the build's file, by encoding. */
  readonly bytes?: ReadonlyMap<Encoding, Buffer<ArrayBuffer>>;
  hash?: Promise<string> | undefined;
}

/** Files above this number of bytes are streamed from the disk for each request. */
const keptBytes = 1024 * 1024;
/** Maximum bytes of all files in memory. The most recently requested files stay in memory. */
const allKeptBytes = 16 * 1024 * 1024;

/** Puts content that has changed since the build into the pages. */
export interface LivePages {
  /**
   * Finds the pages to keep current.
   * @param files all files of the build, by canonical path.
   */
  watch(files: ReadonlyMap<string, StoredFile>): Promise<void>;
  /**
   * Returns the file with its current content. Returns `file` itself if the content has not changed since the build.
   */
  current(file: StoredFile): StoredFile | Promise<StoredFile>;
}

/**
 * Indexes a folder. Dotfiles (except in `.well-known`) and Netlify's own `_headers` and `_redirects` are never served.
 */
export async function staticFiles(
  folder: string,
  headersFor: Rules['headersFor'],
  { capacity = allKeptBytes, live }: { capacity?: number; live?: LivePages } = {},
): Promise<StaticFiles> {
  const { files, aliases } = index(folder, headersFor);
  await live?.watch(files);
  const kept = new LRUCache<string, Promise<Buffer<ArrayBuffer>>>({ maxSize: capacity });
  const bodyOf: BodyReader = async (file, encoding, part) => {
    const own = file.bytes?.get(encoding);
    if (own) return part ? own.subarray(part.start, part.end + 1) : own;
    const path = file.path + suffixes[encoding];
    const size = file.sizes.get(encoding) ?? 0;
    if (size > keptBytes) return fileStream(await open(path), part);
    let bytes = kept.get(path);
    if (!bytes) {
      bytes = readFile(path);
      kept.set(path, bytes, { size: size + path.length + 1_000 });
      bytes.catch(() => kept.delete(path));
    }
    const buffer = await bytes;
    return part ? buffer.subarray(part.start, part.end + 1) : buffer;
  };

  return {
    canonical: (pathname) => (files.has(pathname) ? pathname : (aliases.get(pathname.toLowerCase()) ?? null)),
    paths: [...files.keys()],
    get keptBytes() {
      return kept.calculatedSize;
    },

    async answer(request, pathname, status = 200) {
      const file = files.get(pathname);
      if (!file) return null;
      if (!isRead(request.method)) throw onlyReads();
      const now = live ? await live.current(file) : file;
      return status === 200 ? await send(request, now, bodyOf) : await sendWhole(request, now, bodyOf, status);
    },

    async notFound(request) {
      const page = files.get('/404');
      if (!page) return await noFiles.notFound(request);
      return await sendWhole(request, live ? await live.current(page) : page, bodyOf, 404);
    },
  };
}

type BodyReader = (file: StoredFile, encoding: Encoding, part?: { start: number; end: number }) => Promise<BodyInit>;

/** Used by a host that serves only functions. */
export const noFiles: StaticFiles = {
  canonical: () => null,
  paths: [],
  keptBytes: 0,
  answer: async () => null,
  notFound: async () =>
    new FastResponse('Not found', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } }),
};

async function send(request: Request, file: StoredFile, bodyOf: BodyReader): Promise<Response> {
  const asksForPart = request.method === 'GET' && request.headers.has('range');
  const encoding = asksForPart ? 'identity' : bestEncoding(file, request.headers.get('accept-encoding'));
  const etag = `"${await hashOf(file)}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  const headers: [string, string][] = [...file.headers, ['etag', etag]];
  // Byte ranges refer to the uncompressed file.
  if (encoding === 'identity') headers.push(['accept-ranges', 'bytes']);

  const ifNoneMatch = request.headers.get('if-none-match') ?? undefined;
  const cacheControl = request.headers.get('cache-control') ?? undefined;
  if (ifNoneMatch && fresh({ 'if-none-match': ifNoneMatch, 'cache-control': cacheControl }, { etag })) {
    return new FastResponse(null, { status: 304, headers: headers.filter(([name]) => name !== 'content-type') });
  }

  const size = file.sizes.get(encoding) ?? 0;
  const range = asksForPart ? rangeOf(request, { size, etag }) : null;
  if (range) {
    headers.push(...rangeHeaders(range, size));
    if (range === 'unsatisfiable') return new FastResponse(null, { status: 416, headers });
    return new FastResponse(await bodyOf(file, encoding, range), { status: 206, headers });
  }
  return await whole(request, file, encoding, bodyOf, headers, 200);
}

/**
 * Responds with a page other than the requested one, such as the 404 page. Sends no ETag and no date, because the
 * content does not belong to the requested path.
 */
async function sendWhole(request: Request, file: StoredFile, bodyOf: BodyReader, status: number) {
  const encoding = bestEncoding(file, request.headers.get('accept-encoding'));
  return await whole(request, file, encoding, bodyOf, [...file.headers], status);
}

async function whole(
  request: Request,
  file: StoredFile,
  encoding: Encoding,
  bodyOf: BodyReader,
  headers: [string, string][],
  status: number,
): Promise<Response> {
  headers.push(['content-length', String(file.sizes.get(encoding) ?? 0)]);
  if (encoding !== 'identity') headers.push(['content-encoding', encoding]);
  const body = request.method === 'HEAD' ? null : await bodyOf(file, encoding);
  return new FastResponse(body, { status, headers });
}

function hashOf(file: StoredFile): Promise<string> {
  file.hash ??= hashFile(file.path).catch((error: unknown) => {
    // The read may have failed because too many files were open, so the next request tries again.
    file.hash = undefined;
    throw error;
  });
  return file.hash;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('base64url').slice(0, 22);
}

function bestEncoding(file: StoredFile, header: string | null): Encoding {
  if (file.sizes.size === 1) return 'identity';
  const accepted = acceptedEncodings(header);
  if (accepted.has('br') && file.sizes.has('br')) return 'br';
  return accepted.has('gzip') && file.sizes.has('gzip') ? 'gzip' : 'identity';
}

interface Index {
  /** Files by canonical path. */
  readonly files: ReadonlyMap<string, StoredFile>;
  /**
   * Canonical paths by alias. A file has up to two aliases: its canonical path and its file name, both in lower case.
   */
  readonly aliases: ReadonlyMap<string, string>;
}

/**
 * Indexes all files by URL path: `/contact.html` and `/contact/index.html` become `/contact`. Runs before the first
 * request, and synchronously, because asynchronous calls for single files take several times as long.
 */
function index(folder: string, headersFor: Rules['headersFor']): Index {
  const names = new Set(walk(folder, ''));
  const files = new Map<string, StoredFile>();
  const aliases = new Map<string, string>();
  for (const name of names) {
    if (name === '/_headers' || name === '/_redirects' || isCompressedSibling(name, names)) continue;
    const sizes = new Map<Encoding, number>();
    for (const [encoding, suffix] of Object.entries(suffixes) as [Encoding, string][]) {
      if (names.has(name + suffix)) sizes.set(encoding, statSync(join(folder, name + suffix)).size);
    }
    const page = /^(.*?)(?:\/index)?\.html$/.exec(name)?.[1];
    const address = canonicalPath(page === undefined ? name : page || '/');
    const spelled = canonicalPath(name);
    // No request path can match this file name.
    if (address === null || spelled === null) continue;
    let headers: Map<string, string> | undefined;
    files.set(address, {
      path: join(folder, name),
      address,
      get headers() {
        return (headers ??= headersOf(name, address, sizes, headersFor));
      },
      sizes,
    });
    for (const spelling of [address.toLowerCase(), spelled.toLowerCase()]) {
      if (!aliases.has(spelling)) aliases.set(spelling, address);
    }
  }
  return { files, aliases };
}

function headersOf(
  name: string,
  address: string,
  sizes: ReadonlyMap<Encoding, number>,
  headersFor: Rules['headersFor'],
): Map<string, string> {
  return new Map([
    ['content-type', typeOf(name)],
    ['cache-control', 'public, max-age=0, must-revalidate'],
    ...Object.entries({ ...securityHeaders, 'Content-Security-Policy': functionPolicy }).map(
      ([header, value]) => [header.toLowerCase(), value] as const,
    ),
    // Replaces the defaults above. For each page, the build writes a rule with the page's Content-Security-Policy.
    ...headersFor(decodeURI(address)),
    ...(sizes.size > 1 ? [['vary', 'accept-encoding'] as const] : []),
  ]);
}

function walk(folder: string, under: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
    if (entry.name.startsWith('.') && entry.name !== '.well-known') continue;
    const name = `${under}/${entry.name}`;
    if (entry.isDirectory()) found.push(...walk(folder, name));
    else if (entry.isFile()) found.push(name);
  }
  return found;
}

function isCompressedSibling(name: string, names: ReadonlySet<string>): boolean {
  return /\.(br|gz)$/.test(name) && names.has(name.slice(0, -3));
}

function typeOf(name: string): string {
  const type = lookup(name) ?? 'application/octet-stream';
  return /^text\/|javascript$|json$|xml$/.test(type) ? `${type}; charset=utf-8` : type;
}
