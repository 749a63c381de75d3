import { readFile } from 'node:fs/promises';
import { lentPlatform } from './platform.ts';

/**
 * Reads a file of the build. A self-hosted server provides the file. On Netlify, a copy may be next to the function
 * (host/build/output.ts). Otherwise the function requests the file by its URL, from Netlify's CDN or, in development,
 * from Astro's server.
 * @returns null if the file is missing or cannot be read.
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
