import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { lookup } from 'mrmime';
import { FastResponse } from 'srvx';
import { rangeHeaders, rangeOf } from '../../netlify/server/http/range.ts';
import { knowsAnswer } from '../../netlify/server/http/respond.ts';
import { acceptedEncodings } from './compress.ts';
import { canonicalPath } from './canonical-path.ts';

/**
 * Serves the build's output from memory. `sirv` reads each file from the disk for each request, and then answers half as
 * many requests per second.
 */
export interface Files {
  /**
   * Returns the canonical path of a file, such as `/contact` for `/contact.html` and `/Contact`.
   * @param path as `canonicalPath` spells it.
   * @returns null if the file does not exist.
   */
  find(path: string): string | null;
  /**
   * Responds to a GET or HEAD request for a file.
   * @param path as {@link find} returns it.
   * @param status the status of a page that is sent for another path, such as 404. The response then has no ETag.
   * @returns null if the file does not exist.
   */
  answer(request: Request, path: string, status?: number): Promise<Response | null>;
  /** The paths of all pages of the build. */
  readonly pages: readonly string[];
  /** Returns a page of the build as text; null if the page does not exist. */
  read(path: string): Promise<string | null>;
  /** Serves this HTML in place of a page of the build. */
  replace(path: string, html: string): Promise<void>;
}

const suffixes = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof suffixes | 'identity';

/** Maximum bytes of all files in memory. The most recently requested files stay in memory. */
const capacity = 16 * 1024 * 1024;

/** The bytes of a file in one encoding, with the headers of the response. */
interface Form {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly headers: readonly [string, string][];
  readonly etag: string;
}
/** The forms of a file. Each file has the form `identity`. */
type Forms = Readonly<Partial<Record<Encoding, Form>>>;

/**
 * Indexes a folder. Dotfiles (except in `.well-known`) and Netlify's own `_headers` and `_redirects` are never served.
 * @param headersOf returns the headers of a file by its path.
 */
export async function builtFiles(
  folder: string,
  headersOf: (path: string) => ReadonlyMap<string, string>,
  maxSize = capacity,
): Promise<Files> {
  const { files, aliases } = await index(folder);
  const replaced = new Map<string, Forms>();
  const loaded = new LRUCache<string, Forms>({
    maxSize,
    sizeCalculation: (forms) => Object.values(forms).reduce((sum, { bytes }) => sum + bytes.length + 1_000, 0),
    fetchMethod: async (path) => {
      const { name, compressed } = files.get(path)!;
      const bytes = await readFile(join(folder, name));
      const others = await Promise.all(
        compressed.map(
          async (encoding) => [encoding, await readFile(join(folder, name + suffixes[encoding]))] as const,
        ),
      );
      return formsOf(path, name, [['identity', bytes], ...others]);
    },
  });

  const formsOf = (
    path: string,
    name: string,
    contents: readonly (readonly [Encoding, Buffer<ArrayBuffer>])[],
  ): Forms => {
    const type = lookup(name) ?? 'application/octet-stream';
    const common = new Map([
      ['content-type', /^text\/|javascript$|json$|xml$/.test(type) ? `${type}; charset=utf-8` : type],
      ...headersOf(decodeURI(path)),
      ...(contents.length > 1 ? [['vary', 'accept-encoding'] as const] : []),
    ]);
    // A hash of the content, so a new build changes the ETags of changed files only.
    const hash = createHash('sha256').update(contents[0]![1]).digest('base64url').slice(0, 22);
    return Object.fromEntries(
      contents.map(([encoding, bytes]) => {
        const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`;
        const headers = [...common];
        if (encoding !== 'identity') headers.push(['content-encoding', encoding]);
        return [encoding, { bytes, etag, headers } satisfies Form];
      }),
    );
  };
  const formsAt = async (path: string): Promise<Forms | undefined> =>
    files.has(path) ? (replaced.get(path) ?? (await loaded.fetch(path))) : undefined;

  return {
    find: (path) => (files.has(path) ? path : (aliases.get(path.toLowerCase()) ?? null)),
    async answer(request, path, status = 200) {
      const forms = await formsAt(path);
      return forms ? send(request, forms, status) : null;
    },
    pages: [...files].filter(([, { name }]) => name.endsWith('.html')).map(([path]) => path),
    async read(path) {
      const file = files.get(path);
      return file ? await readFile(join(folder, file.name), 'utf8') : null;
    },
    async replace(path, html) {
      const file = files.get(path);
      if (!file) return;
      const bytes = Buffer.from(html);
      const forms: [Encoding, Buffer<ArrayBuffer>][] = [['identity', bytes]];
      // Creates only the encodings that the build has, because the build does not compress small files.
      if (file.compressed.includes('br')) forms.push(['br', await promisify(brotliCompress)(bytes)]);
      if (file.compressed.includes('gzip')) forms.push(['gzip', await promisify(gzip)(bytes, { level: 9 })]);
      replaced.set(path, formsOf(path, file.name, forms));
    },
  };
}

/** Used by a host that serves only functions. */
export const noFiles: Files = {
  find: () => null,
  answer: async () => null,
  pages: [],
  read: async () => null,
  replace: async () => undefined,
};

function send(request: Request, forms: Forms, status: number): Response {
  const asksForPart = status === 200 && request.method === 'GET' && request.headers.has('range');
  const encoding = asksForPart ? undefined : acceptedEncodings(request).find((each) => forms[each]);
  const { bytes, headers, etag } = forms[encoding ?? 'identity']!;
  const length: [string, string] = ['content-length', String(bytes.length)];
  const body = request.method === 'HEAD' ? null : bytes;
  if (status !== 200) return new FastResponse(body, { status, headers: [...headers, length] });

  const own: [string, string][] = [...headers, ['etag', etag]];
  // Byte ranges refer to the uncompressed file.
  if (encoding === undefined) own.push(['accept-ranges', 'bytes']);
  if (knowsAnswer(request, etag)) {
    return new FastResponse(null, { status: 304, headers: own.filter(([name]) => name !== 'content-type') });
  }
  const range = asksForPart ? rangeOf(request, { size: bytes.length, etag }) : null;
  if (range === null) return new FastResponse(body, { headers: [...own, length] });
  own.push(...rangeHeaders(range, bytes.length));
  if (range === 'unsatisfiable') return new FastResponse(null, { status: 416, headers: own });
  return new FastResponse(bytes.subarray(range.start, range.end + 1), { status: 206, headers: own });
}

interface BuiltFile {
  /** The file's name in the folder, with a slash at the beginning. */
  readonly name: string;
  readonly compressed: readonly (keyof typeof suffixes)[];
}

/** Indexes all files by URL path: `/contact.html` and `/contact/index.html` become `/contact`. */
async function index(folder: string) {
  const names = new Set(await namesIn(folder, ''));
  const files = new Map<string, BuiltFile>();
  /** Canonical paths by the lowercase forms of the canonical path and of the file name. */
  const aliases = new Map<string, string>();
  for (const name of names) {
    const isCompressed = /\.(br|gz)$/.test(name) && names.has(name.slice(0, -3));
    const page = /^(.*?)(?:\/index)?\.html$/.exec(name)?.[1];
    const path = canonicalPath(page === undefined ? name : page || '/');
    const spelled = canonicalPath(name);
    // No request path can match a file name without a canonical spelling.
    if (isCompressed || path === null || spelled === null) continue;
    const compressed = (['br', 'gzip'] as const).filter((encoding) => names.has(name + suffixes[encoding]));
    files.set(path, { name, compressed });
    for (const alias of [path.toLowerCase(), spelled.toLowerCase()]) {
      if (!aliases.has(alias)) aliases.set(alias, path);
    }
  }
  return { files, aliases };
}

async function namesIn(folder: string, under: string): Promise<string[]> {
  const entries = await readdir(join(folder, under), { withFileTypes: true });
  const found = entries.map(async (entry) => {
    const name = `${under}/${entry.name}`;
    if (entry.name.startsWith('.') && entry.name !== '.well-known') return [];
    if (name === '/_headers' || name === '/_redirects') return [];
    return entry.isDirectory() ? await namesIn(folder, name) : [name];
  });
  return (await Promise.all(found)).flat();
}
