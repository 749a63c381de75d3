import { createHash } from 'node:crypto';
import { Refusal } from '../../netlify/server/refusal.ts';
import { turns } from '../../netlify/server/time/turns.ts';
import { mostPixels, mostPixelsOfJpeg } from '../../src/domain/site/media.ts';
import type { ResponseCache } from './cache.ts';
import { canonicalPath } from './canonical-path.ts';

/** The path of Netlify's image service, which this host serves too. */
export const picturePath = '/.netlify/images';

/** Responds to a visitor's request for a picture of this site in another size. */
export type Pictures = (request: Request, url: URL, address: string) => Promise<Response>;

/**
 * The available widths in pixels. Other widths are rounded up to one of these, so a visitor who requests every width
 * cannot overload the machine (docs/product.md#pictures).
 */
const widths = [400, 800, 1200, 1600] as const;
const widest = 1600;
const quality = 85;

/** Media types that are resized. The types in `unchanged` are drawings, or can be animated. */
const resized = /^image\/(jpeg|png|webp)$/;
const unchanged = /^image\/(svg\+xml|gif|avif)$/;

const secondsAtMost = 20;
const origin = 'http://host.invalid';
/**
 * The largest original that is read into memory, in bytes. Slightly more than the largest picture that the media
 * library accepts.
 */
const mostBytes = 12 * 1024 * 1024;

/**
 * Resizing a picture takes up to 100 MB of memory, so the host resizes one picture at a time. Each visitor has a
 * limited share of the queue, so the pictures of one page do not block other visitors.
 */
const queue = {
  atOnce: 1,
  waiting: 60,
  waitingEach: 20,
  busy: 'The server is busy with other pictures. Please try again in a moment.',
};

/**
 * Serves pictures like Netlify's image service, for pictures on this site only: in four widths, as WebP.
 * @param source returns the response for a path on this site, or null if nothing is served at the path.
 */
export function pictureHost(
  source: (path: string, method: string) => Promise<Response | null>,
  cache: ResponseCache,
): Pictures {
  const inTurn = turns(queue);
  const original = async (path: string, method: string): Promise<Response> => {
    const response = await source(path, method);
    if (response?.status !== 200) throw new Refusal('not_found', 'This picture was not found.');
    return response;
  };

  return async (request, url, address) => {
    const { path, width } = wantedPicture(url.searchParams);
    const described = await original(path, 'HEAD');
    const type = described.headers.get('content-type')?.split(';', 1)[0] ?? '';
    if (unchanged.test(type)) return await original(path, request.method);
    if (!resized.test(type)) throw new Refusal('unsupported_media_type', 'No picture exists at this address.');

    // The ETag is a hash of the content, so another query or another file with the same bytes uses the same stored
    // picture.
    const content = described.headers.get('etag') ?? path;
    const key = createHash('sha256').update(`${content} ${width}`).digest('hex');
    const headers = {
      'content-type': 'image/webp',
      'cache-control': described.headers.get('cache-control') ?? 'public, max-age=0, must-revalidate',
      'netlify-cdn-cache-control': 'max-age=31536000',
      etag: `"${key.slice(0, 32)}"`,
    };
    const whole = new Request(request.url, { method: request.method, headers: new Headers(request.headers) });
    // The cache would pass on a request for a part of the picture.
    whole.headers.delete('range');
    const resizeOnce = async () => {
      const bytes = await inTurn(async () => await resize(await original(path, 'GET'), width), address);
      // A picture that is too large to resize is sent unchanged.
      return bytes ? new Response(bytes, { headers }) : await original(path, 'GET');
    };
    return await cache.answer(key, whole, resizeOnce, true);
  };
}

/**
 * @returns the path of the original, with its version (`?v=…`), which decides how long browsers may cache the picture.
 * @throws {Refusal} `invalid_input` for a URL on another site, or for an invalid width.
 */
function wantedPicture(parameters: URLSearchParams): { path: string; width: number } {
  const refuse = (message: string) => new Refusal('invalid_input', message);
  const address = parameters.get('url') ?? '';
  // Accepts a path with or without a leading slash, because the Netlify adapter's image service omits the slash.
  // Rejects every form that a browser would read as another host, such as `//host` or `/\host`.
  const wanted = /^\/?[^/\\]/.test(address) ? new URL(address, origin) : null;
  const path = wanted && canonicalPath(wanted.pathname);
  if (!path || wanted.origin !== origin || /^\/(\.netlify|api)\//i.test(path)) {
    throw refuse('The parameter url must be a path on this site.');
  }
  const width = parameters.get('w') ?? String(widest);
  if (!/^[1-9]\d{0,4}$/.test(width)) throw refuse('The parameter w must be a whole number of pixels.');
  const version = wanted.searchParams.get('v') ?? '';
  return {
    path: path + (/^[0-9a-f]{1,64}$/.test(version) ? `?v=${version}` : ''),
    width: widths.find((each) => each >= Number(width)) ?? widest,
  };
}

/** @returns undefined if resizing the picture would take too much memory. */
async function resize(original: Response, width: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(original.headers.get('content-length') ?? 0) > mostBytes) {
    await original.body?.cancel();
    return undefined;
  }
  const bytes = await original.arrayBuffer();
  const { default: sharp } = await import('sharp');
  // Uses one thread per picture, and no cache of its own.
  sharp.concurrency(1);
  sharp.cache(false);
  try {
    const picture = sharp(bytes, { limitInputPixels: mostPixelsOfJpeg, sequentialRead: true });
    const described = await picture.metadata();
    // A baseline JPEG is resized line by line while it is read. Other pictures may have to be decoded in memory as a
    // whole.
    const isReadByLine = described.format === 'jpeg' && described.isProgressive === false;
    if (!isReadByLine && described.width * described.height > mostPixels) return undefined;
    const smaller = await picture
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      .webp({ quality })
      .timeout({ seconds: secondsAtMost })
      .toBuffer();
    return new Uint8Array(smaller);
  } catch (error) {
    if (error instanceof Error && error.message.includes('exceeds pixel limit')) return undefined;
    throw new Refusal('invalid_input', 'This file is damaged or is not a picture.', { cause: error });
  }
}
