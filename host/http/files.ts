import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { lookup } from 'mrmime';
import { type Answer, answerWith, type Encoding, send } from './answers.ts';
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
  /** Serves this HTML in place of a page of the build, uncompressed until its compressed forms are ready. */
  replace(path: string, html: string): void;
}

type Bytes = Buffer<ArrayBuffer>;

/** Maximum bytes of all files in memory. The most recently requested files stay in memory. */
const capacity = 16 * 1024 * 1024;

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
  const replaced = new Map<string, Answer>();

  const answerOf = (path: string, plain: Bytes, compressed: Partial<Record<Encoding, Bytes>>): Answer => {
    const type = lookup(files.get(path)!) ?? 'application/octet-stream';
    const headers = new Map([
      ['content-type', /^text\/|javascript$|json$|xml$/.test(type) ? `${type}; charset=utf-8` : type],
      ...headersOf(decodeURI(path)),
      ...(Object.values(compressed).some(Boolean) ? [['vary', 'accept-encoding'] as const] : []),
      // A hash of the content, so a new build changes the ETags of changed files only.
      ['etag', `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`],
    ]);
    return answerWith(200, [...headers], plain, compressed);
  };
  const loaded = new LRUCache<string, Answer>({
    maxSize,
    sizeCalculation: ({ forms }) => Object.values(forms).reduce((sum, { bytes }) => sum + bytes.length + 1_000, 0),
    fetchMethod: async (path) => {
      const file = join(folder, files.get(path)!);
      const compressed = (suffix: string) => readFile(file + suffix).catch(() => undefined);
      const [plain, br, gz] = await Promise.all([readFile(file), compressed('.br'), compressed('.gz')]);
      return answerOf(path, plain, { ...(br && { br }), ...(gz && { gzip: gz }) });
    },
  });

  return {
    find: (path) => (files.has(path) ? path : (aliases.get(path.toLowerCase()) ?? null)),
    async answer(request, path, status = 200) {
      const answer = replaced.get(path) ?? (files.has(path) ? await loaded.fetch(path) : undefined);
      return answer ? send({ ...answer, status }, request) : null;
    },
    pages: [...files].filter(([, name]) => name.endsWith('.html')).map(([path]) => path),
    async read(path) {
      const name = files.get(path);
      return name === undefined ? null : await readFile(join(folder, name), 'utf8');
    },
    replace(path, html) {
      const bytes = Buffer.from(html);
      const plain = answerOf(path, bytes, {});
      replaced.set(path, plain);
      // Compression at the highest quality takes a tenth of a second.
      void Promise.all([promisify(brotliCompress)(bytes), promisify(gzip)(bytes, { level: 9 })]).then(([br, gz]) => {
        if (replaced.get(path) === plain) replaced.set(path, answerOf(path, bytes, { br, gzip: gz }));
      });
    },
  };
}

/** Used by a host that serves only functions. */
export const noFiles: Files = {
  find: () => null,
  answer: async () => null,
  pages: [],
  read: async () => null,
  replace: () => undefined,
};

/** Indexes the names of all files by URL path: `/contact.html` and `/contact/index.html` become `/contact`. */
async function index(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')}`)
    .filter((name) => !/\/\.(?!well-known\/)|^\/_(?:headers|redirects)$/.test(name));
  const compressed = new Set(names.flatMap((name) => [`${name}.br`, `${name}.gz`]));
  const files = new Map<string, string>();
  /** Canonical paths by the lowercase forms of the canonical path and of the file name. */
  const aliases = new Map<string, string>();
  for (const name of names.filter((one) => !compressed.has(one))) {
    const page = /^(.*?)(?:\/index)?\.html$/.exec(name)?.[1];
    const path = canonicalPath(page === undefined ? name : page || '/');
    const spelled = canonicalPath(name);
    // No request path can match a file name without a canonical spelling.
    if (path === null || spelled === null) continue;
    files.set(path, name);
    for (const alias of [path, spelled]) aliases.set(alias.toLowerCase(), path);
  }
  return { files, aliases };
}
