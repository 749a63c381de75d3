import { readFile } from 'node:fs/promises';
import { lentPlatform } from './platform.ts';

/**
 * Reads a page of the build, with its headers. A self-hosted server provides the page. Otherwise the function requests
 * the page by its URL, from Netlify's CDN or, in development, from Astro's server.
 * @returns null if the page is missing or cannot be read.
 */
export async function sitePage(path: string, request: Request): Promise<Response | null> {
  try {
    const read = lentPlatform()?.readSiteFile;
    const response = read
      ? await read(path)
      : await fetch(new URL(path, request.url), { signal: AbortSignal.timeout(5_000), redirect: 'error' });
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
