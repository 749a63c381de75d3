import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { LRUCache } from 'lru-cache';
import { lookup } from 'mrmime';
import { brotlied, gzipped } from '../build/compress.ts';
import { filesIn } from '../data/files-in.ts';
import { type Answer, answerWith, send } from './answers.ts';
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
  /** Reads all files again at their next requests, because {@link FilesOptions.rewrite} has a new result. */
  refresh(): void;
}

interface FilesOptions {
  /** Returns the headers of a file by its path. */
  readonly headersOf: (path: string) => ReadonlyMap<string, string>;
  /** Completes the HTML of a page. A page that changes is compressed when it is first requested. */
  readonly rewrite: (html: string) => string;
}

/** Maximum bytes of all files in memory. The most recently requested files stay in memory. */
const maxSize = 16 * 1024 * 1024;

/** Indexes a folder. Dotfiles (except in `.well-known`) and Netlify's own `_redirects` are never served. */
export async function builtFiles(folder: string, { headersOf, rewrite }: FilesOptions): Promise<Files> {
  const { files, aliases } = await index(folder);

  /** Returns the bytes of a file and their compressed forms, which the build has written for most files. */
  const load = async (name: string) => {
    const file = join(folder, name);
    const plain = await readFile(file);
    const html = name.endsWith('.html') ? plain.toString() : '';
    const rewritten = rewrite(html);
    if (rewritten !== html) {
      const bytes = Buffer.from(rewritten);
      const [br, gzip] = await Promise.all([brotlied(bytes), gzipped(bytes)]);
      return { plain: bytes, br, gzip };
    }
    const [br, gzip] = await Promise.all(
      ['.br', '.gz'].map((suffix) => readFile(file + suffix).catch(() => undefined)),
    );
    return { plain, br, gzip };
  };
  const newCache = () =>
    new LRUCache<string, Answer>({
      maxSize,
      sizeCalculation: ({ forms }) => Object.values(forms).reduce((sum, { bytes }) => sum + bytes.length + 1_000, 0),
      fetchMethod: async (path) => {
        const name = files.get(path)!;
        const type = lookup(name) ?? 'application/octet-stream';
        const { plain, br, gzip } = await load(name);
        const headers = new Map([
          ['content-type', /^text\/|javascript$|json$|xml$/.test(type) ? `${type}; charset=utf-8` : type],
          ...headersOf(decodeURI(path)),
          ...(br || gzip ? [['vary', 'accept-encoding'] as const] : []),
          // A hash of the content, so a new build changes the ETags of changed files only.
          ['etag', `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`],
        ]);
        return answerWith(200, [...headers], plain, { br, gzip });
      },
    });
  let loaded = newCache();

  return {
    find: (path) => (files.has(path) ? path : (aliases.get(path.toLowerCase()) ?? null)),
    async answer(request, path, status = 200) {
      const answer = files.has(path) ? await loaded.fetch(path) : undefined;
      return answer ? send({ ...answer, status }, request) : null;
    },
    // A new cache, because a file that is being read now would be stored in the old one.
    refresh: () => void (loaded = newCache()),
  };
}

/** Used by a host that serves only functions. */
export const noFiles: Files = { find: () => null, answer: async () => null, refresh: () => undefined };

/** Indexes the names of all files by URL path: `/contact.html` and `/contact/index.html` become `/contact`. */
async function index(folder: string) {
  const names = (await filesIn(folder))
    .map((file) => `/${relative(folder, file).replaceAll('\\', '/')}`)
    .filter((name) => !/\/\.(?!well-known\/)|^\/_redirects$/.test(name));
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
