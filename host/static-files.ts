import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fresh from 'fresh';
import { LRUCache } from 'lru-cache';
import { lookup } from 'mrmime';
import parseRange from 'range-parser';
import { FastResponse } from 'srvx';
import { Refusal } from '../netlify/server/http/refusal.ts';
import { functionPolicy } from '../netlify/server/http/respond.ts';
import { securityHeaders } from '../src/domain/security-headers.ts';
import { type Compression, acceptedEncodings } from './accepted-encodings.ts';
import { canonicalPath } from './canonical-path.ts';
import type { Rules } from './rules.ts';

/**
 * The build's output, indexed once and kept in memory as it is asked for. None of the usual libraries (sirv, send,
 * srvx/static) gives strong ETags: theirs are made of a file's time, which each build renews, so that every rebuild
 * would empty every visitor's cache. What is theirs and right is used: types, ranges, freshness, negotiation.
 */
export interface StaticFiles {
  /**
   * The one path under which the file behind a path is served: `/contact` for `/contact.html` and `/Contact`.
   * @param pathname as `canonicalPath` spells it.
   * @returns null where there is no such file.
   */
  canonical(pathname: string): string | null;
  /**
   * Answers GET and HEAD of a file.
   * @param pathname as {@link canonical} gives it.
   * @param status other than 200 where a redirect rule shows the file in place of another (404).
   * @returns null where there is no such file.
   * @throws {Refusal} `method_not_allowed` for other methods.
   */
  answer(request: Request, pathname: string, status?: number): Promise<Response | null>;
  /** The site's 404 page. */
  notFound(request: Request): Promise<Response>;
  /** Every canonical path with a file. */
  readonly paths: readonly string[];
  /** What the files that are kept in memory weigh now, in bytes. */
  readonly keptBytes: number;
}

export type Encoding = Compression | 'identity';
const suffixes = { br: '.br', gzip: '.gz', identity: '' } as const satisfies Record<Encoding, string>;

export interface StoredFile {
  readonly path: string;
  /** The canonical path under which it is served. */
  readonly address: string;
  /** What is sent with it, but for its ETag and length. Made once: another spelling of its path never has other headers. */
  readonly headers: ReadonlyMap<string, string>;
  /** Sizes of the file and of its compressed siblings, in bytes. */
  readonly sizes: ReadonlyMap<Encoding, number>;
  /** What is sent in place of the files, by encoding. */
  readonly bytes?: ReadonlyMap<Encoding, Buffer<ArrayBuffer>>;
  hash?: Promise<string> | undefined;
}

/** Larger files are streamed from the disk each time. */
const keptBytes = 1024 * 1024;
/** What the kept files weigh together, in bytes; those that were asked for last are kept. */
const allKeptBytes = 16 * 1024 * 1024;

/** Replaces what changed since the build in the pages that are sent. */
export interface LivePages {
  /** Takes note of all files of the build, by their canonical paths. */
  watch(files: ReadonlyMap<string, StoredFile>): Promise<void>;
  /** Returns a file as it is to be sent now: the same object if the build's own bytes are right. */
  current(file: StoredFile): StoredFile | Promise<StoredFile>;
}

/** Indexes a folder. Dotfiles (but `.well-known`) and Netlify's own `_headers` and `_redirects` are never served. */
export async function staticFiles(
  folder: string,
  headersFor: Rules['headersFor'],
  { capacity = allKeptBytes, live }: { capacity?: number; live?: LivePages } = {},
): Promise<StaticFiles> {
  const { files, aliases } = await index(folder, headersFor);
  await live?.watch(files);
  const kept = new LRUCache<string, Promise<Buffer<ArrayBuffer>>>({ maxSize: capacity });
  const bodyOf: BodyReader = async (file, encoding, part) => {
    const own = file.bytes?.get(encoding);
    if (own) return part ? own.subarray(part.start, part.end + 1) : own;
    const path = file.path + suffixes[encoding];
    const size = file.sizes.get(encoding) ?? 0;
    if (size > keptBytes) {
      // FastResponse pipes a Node stream, with its backpressure, and closes it when the client goes away.
      return createReadStream(path, part) as unknown as BodyInit;
    }
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
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new Refusal('method_not_allowed', 'This address answers GET, HEAD.', { headers: { allow: 'GET, HEAD' } });
      }
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

/** For a host that serves functions alone. */
export const noFiles: StaticFiles = {
  canonical: () => null,
  paths: [],
  keptBytes: 0,
  answer: async () => null,
  notFound: async () =>
    new FastResponse('Not found', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } }),
};

async function send(request: Request, file: StoredFile, bodyOf: BodyReader): Promise<Response> {
  const range = request.method === 'GET' ? request.headers.get('range') : null;
  const encoding = range === null ? bestEncoding(file, request.headers.get('accept-encoding')) : 'identity';
  const etag = `"${await hashOf(file)}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  const headers: [string, string][] = [...file.headers, ['etag', etag]];
  // Ranges are of the file as it is.
  if (encoding === 'identity') headers.push(['accept-ranges', 'bytes']);

  const ifNoneMatch = request.headers.get('if-none-match') ?? undefined;
  const cacheControl = request.headers.get('cache-control') ?? undefined;
  if (ifNoneMatch && fresh({ 'if-none-match': ifNoneMatch, 'cache-control': cacheControl }, { etag })) {
    return new FastResponse(null, { status: 304, headers: headers.filter(([name]) => name !== 'content-type') });
  }

  const size = file.sizes.get(encoding) ?? 0;
  const ifRange = request.headers.get('if-range');
  if (range !== null && (ifRange === null || ifRange === etag)) {
    const wanted = parseRange(size, range, { combine: true });
    if (wanted === -1) {
      return new FastResponse(null, { status: 416, headers: [...headers, ['content-range', `bytes */${size}`]] });
    }
    // Several ranges at once, or a range that makes no sense, get the whole file, as RFC 9110 allows.
    const [part, another] = wanted === -2 || wanted.type !== 'bytes' ? [] : wanted;
    if (part && !another) {
      headers.push(['content-range', `bytes ${part.start}-${part.end}/${size}`]);
      headers.push(['content-length', String(part.end - part.start + 1)]);
      return new FastResponse(await bodyOf(file, encoding, part), { status: 206, headers });
    }
  }
  return await whole(request, file, encoding, bodyOf, headers, 200);
}

/** A page in place of another: without validators, since it is not what the address names. */
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
    // Perhaps too many files were open: the next request tries again.
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
  /** Files by their canonical path. */
  readonly files: ReadonlyMap<string, StoredFile>;
  /** The files' names and addresses in lower case, with the canonical path of each. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** Every file under its address: `/contact.html` and `/contact/index.html` are `/contact`. */
async function index(folder: string, headersFor: Rules['headersFor']): Promise<Index> {
  const names = new Set(await walk(folder, ''));
  const files = new Map<string, StoredFile>();
  const aliases = new Map<string, string>();
  for (const name of names) {
    if (name === '/_headers' || name === '/_redirects' || isCompressedSibling(name, names)) continue;
    const sizes = new Map<Encoding, number>();
    for (const [encoding, suffix] of Object.entries(suffixes) as [Encoding, string][]) {
      if (names.has(name + suffix)) sizes.set(encoding, (await stat(join(folder, name + suffix))).size);
    }
    const page = /^(.*?)(?:\/index)?\.html$/.exec(name)?.[1];
    const address = canonicalPath(page === undefined ? name : page || '/');
    const spelled = canonicalPath(name);
    // A name that no request can spell.
    if (address === null || spelled === null) continue;
    files.set(address, {
      path: join(folder, name),
      address,
      headers: headersOf(name, address, sizes, headersFor),
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
    // A page has a rule of its own, with the policy that the build gave it.
    ...headersFor(decodeURI(address)),
    ...(sizes.size > 1 ? [['vary', 'accept-encoding'] as const] : []),
  ]);
}

async function walk(folder: string, under: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
    if (entry.name.startsWith('.') && entry.name !== '.well-known') continue;
    const name = `${under}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await walk(folder, name)));
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
