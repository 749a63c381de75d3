import { readFile } from 'node:fs/promises';
import { lentPlatform } from './platform.ts';

/**
 * A file that the build left, by its path: as the host lends it; else the copy that lies next to the function
 * (host/netlify-output.ts); else from the site itself, where Netlify's CDN answers, or Astro's server during development.
 * @returns null where it cannot be had.
 */
export async function siteFile(path: string, request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  const read = lentPlatform()?.readSiteFile;
  if (!read) {
    const copy = await readFile(new URL(`.${path}`, import.meta.url)).catch(() => null);
    if (copy) return new Uint8Array(copy);
  }
  try {
    const response = read
      ? await read(path)
      : await fetch(new URL(path, request.url), { signal: AbortSignal.timeout(5_000), redirect: 'error' });
    return response?.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null;
  }
}
