import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fresh from 'fresh';
import { lookup } from 'mrmime';
import parseRange from 'range-parser';
import { FastResponse } from 'srvx';
import { Refusal } from '../netlify/server/http/refusal.ts';
import { type Compression, acceptedEncodings } from './accepted-encodings.ts';
import type { Rules } from './rules.ts';

/**
 * The build's output, indexed once and kept in memory as it is asked for. None of the usual libraries (sirv, send,
 * srvx/static) gives strong ETags: theirs are made of a file's time, which each build renews, so that every rebuild
 * would empty every visitor's cache. What is theirs and right is used: types, ranges, freshness, negotiation.
 */
export interface StaticFiles {
  has(pathname: string): boolean;
  /**
   * Answers GET and HEAD, and sends `/page/` on to `/page`.
   * @param status other than 200 where a redirect rule shows the file in place of another (404).
   * @returns null where there is no such file.
   * @throws {Refusal} `method_not_allowed` for other methods.
   */
  answer(request: Request, url: Pick<URL, 'pathname' | 'search'>, status?: number): Promise<Response | null>;
  /** The site's 404 page, under the headers of the address that was asked for. */
  notFound(request: Request, pathname: string): Promise<Response>;
}

type Encoding = Compression | 'identity';
const suffixes = { br: '.br', gzip: '.gz', identity: '' } as const satisfies Record<Encoding, string>;

interface StoredFile {
  readonly path: string;
  readonly type: string;
  /** Sizes of the file and of its compressed siblings, in bytes. */
  readonly sizes: ReadonlyMap<Encoding, number>;
  readonly kept: Map<Encoding, Promise<Buffer>>;
  hash?: Promise<string>;
}

/** Larger files are streamed from the disk each time. */
const keptBytes = 1024 * 1024;

/** Indexes a folder. Dotfiles (but `.well-known`) and Netlify's own `_headers` and `_redirects` are never served. */
export async function staticFiles(folder: string, headersFor: Rules['headersFor']): Promise<StaticFiles> {
  const files = await index(folder);
  const headers = new Map<string, Map<string, string>>();

  const find = (pathname: string): StoredFile | undefined => files.get(pathname) ?? files.get(decode(pathname));

  const headersOf = (file: StoredFile, pathname: string): Map<string, string> => {
    const known = headers.get(pathname);
    if (known) return known;
    const made = new Map([
      ['content-type', file.type],
      ['cache-control', 'public, max-age=0, must-revalidate'],
      ...headersFor(pathname),
    ]);
    if (file.sizes.size > 1) made.set('vary', 'accept-encoding');
    if (find(pathname) === file) headers.set(pathname, made);
    // A rule may name the type of what is asked for, and this is a page in its place.
    else made.set('content-type', file.type);
    return made;
  };

  return {
    has: (pathname) => find(pathname) !== undefined,

    async answer(request, { pathname, search }, status = 200) {
      const file = find(pathname);
      if (!file) {
        const slashless = pathname.slice(0, -1);
        const isPage = pathname.length > 1 && pathname.endsWith('/') && find(slashless) !== undefined;
        return isPage ? new FastResponse(null, { status: 301, headers: { location: slashless + search } }) : null;
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new Refusal('method_not_allowed', 'This address answers GET, HEAD.', { headers: { allow: 'GET, HEAD' } });
      }
      const fixed = headersOf(file, pathname);
      return status === 200 ? await send(request, file, fixed) : await sendWhole(request, file, fixed, status);
    },

    async notFound(request, pathname) {
      const page = files.get('/404.html');
      return page
        ? await sendWhole(request, page, headersOf(page, pathname), 404)
        : await noFiles.notFound(request, pathname);
    },
  };
}

/** For a host that serves functions alone. */
export const noFiles: StaticFiles = {
  has: () => false,
  answer: async () => null,
  notFound: async () =>
    new FastResponse('Not found', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } }),
};

async function send(request: Request, file: StoredFile, fixed: Map<string, string>): Promise<Response> {
  const range = request.method === 'GET' ? request.headers.get('range') : null;
  const encoding = range === null ? bestEncoding(file, request.headers.get('accept-encoding')) : 'identity';
  const etag = `"${await hashOf(file)}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  const headers: [string, string][] = [...fixed, ['etag', etag]];
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
      return new FastResponse(await bytesOf(file, encoding, part), { status: 206, headers });
    }
  }
  return await whole(request, file, encoding, headers, 200);
}

/** A page in place of another: without validators, since it is not what the address names. */
async function sendWhole(request: Request, file: StoredFile, fixed: Map<string, string>, status: number) {
  const encoding = bestEncoding(file, request.headers.get('accept-encoding'));
  return await whole(request, file, encoding, [...fixed], status);
}

async function whole(
  request: Request,
  file: StoredFile,
  encoding: Encoding,
  headers: [string, string][],
  status: number,
): Promise<Response> {
  headers.push(['content-length', String(file.sizes.get(encoding) ?? 0)]);
  if (encoding !== 'identity') headers.push(['content-encoding', encoding]);
  const body = request.method === 'HEAD' ? null : await bytesOf(file, encoding);
  return new FastResponse(body, { status, headers });
}

async function bytesOf(file: StoredFile, encoding: Encoding, part?: { start: number; end: number }): Promise<BodyInit> {
  const path = file.path + suffixes[encoding];
  if ((file.sizes.get(encoding) ?? 0) > keptBytes) {
    // FastResponse pipes a Node stream, with its backpressure, and closes it when the client goes away.
    return createReadStream(path, part) as unknown as BodyInit;
  }
  let bytes = file.kept.get(encoding);
  if (!bytes) {
    bytes = readFile(path);
    file.kept.set(encoding, bytes);
  }
  const buffer = (await bytes) as Buffer<ArrayBuffer>;
  return part ? buffer.subarray(part.start, part.end + 1) : buffer;
}

function hashOf(file: StoredFile): Promise<string> {
  file.hash ??= hashFile(file.path);
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

function decode(pathname: string): string {
  if (!pathname.includes('%')) return pathname;
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Every address with its file: `/contact.html` and `/contact/index.html` also answer at `/contact`. */
async function index(folder: string): Promise<Map<string, StoredFile>> {
  const names = new Set(await walk(folder, ''));
  const files = new Map<string, StoredFile>();
  for (const name of names) {
    if (name === '/_headers' || name === '/_redirects' || isCompressedSibling(name, names)) continue;
    const sizes = new Map<Encoding, number>();
    for (const [encoding, suffix] of Object.entries(suffixes) as [Encoding, string][]) {
      if (names.has(name + suffix)) sizes.set(encoding, (await stat(join(folder, name + suffix))).size);
    }
    const file: StoredFile = { path: join(folder, name), type: typeOf(name), sizes, kept: new Map() };
    files.set(name, file);
    const page = /^(.*?)(?:\/index)?\.html$/.exec(name)?.[1];
    if (page !== undefined) files.set(page || '/', file);
  }
  return files;
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
