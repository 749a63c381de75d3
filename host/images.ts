import { createHash } from 'node:crypto';
import { mostPixels, mostPixelsOfJpeg } from '../netlify/server/files/picture.ts';
import { Refusal, onlyReads } from '../netlify/server/runtime/refusal.ts';
import { turns } from '../netlify/server/runtime/turns.ts';
import { canonicalPath } from './canonical-path.ts';
import { imageCache } from './image-cache.ts';
import { isRead } from './is-read.ts';
import { readUpTo } from './read-up-to.ts';

/** The path of Netlify's image service, which this host serves too. */
export const imageAddress = '/.netlify/images';

/** Responds to a visitor's request for an image on this site in another size or format. */
export type ImageHost = (request: Request, url: URL, address: string) => Promise<Response>;

/**
 * The available widths in pixels. Other widths are rounded up to one of these, so a visitor who requests every width
 * cannot overload the machine (docs/product.md#pictures).
 */
const widths = [400, 800, 1200, 1600] as const;
const widest = 1600;
const quality = 85;
const formats = ['avif', 'webp', 'jpeg', 'png'] as const;
type Format = (typeof formats)[number];

/** Image types that are resized. The types in `given` are drawings, or can be animated, and are sent unchanged. */
const resized = /^image\/(jpeg|png|webp)$/;
const given = /^image\/(svg\+xml|gif|avif)$/;

/** Encodes AVIF with half the color resolution, which takes half the memory. WebP has half the color resolution too. */
const avif = { effort: 2, chromaSubsampling: '4:2:0' };
const secondsAtMost = 20;
/**
 * The image library blocks other requests for up to 0.3 s while it loads, so it loads this many milliseconds after the
 * start.
 */
const loadAfterMs = 2_000;
const internal = 'http://host.invalid';
/**
 * The largest original that is read into memory, in bytes. Slightly more than the largest image that the media library
 * accepts.
 */
const mostBytes = 12 * 1024 * 1024;

/**
 * Resizing an image takes up to 100 MB of memory, so the host resizes one image at a time. Each visitor has a limited
 * share of the queue, so the images of one page do not block other visitors.
 */
const queue = {
  atOnce: 1,
  waiting: 60,
  waitingEach: 20,
  busy: 'The server is busy with other pictures. Please try again in a moment.',
};

interface Wanted {
  readonly path: string;
  /**
   * The query string `?v=…` of the file's URL, which decides how long browsers may cache the image; empty without a
   * version.
   */
  readonly version: string;
  readonly width: number | null;
  readonly format: Format | null;
}

/**
 * Serves images like Netlify's image service, for images on this site only: four widths at quality 85, as AVIF or WebP
 * if the browser accepts them.
 * @param folder the cache of resized images, which is created if it does not exist.
 * @param source returns the response for a path on this site, or null if nothing is served at the path.
 */
export async function imageHost(
  folder: string,
  source: (request: Request) => Promise<Response | null>,
): Promise<ImageHost> {
  const cache = await imageCache(folder);
  setTimeout(() => void loadSharp(), loadAfterMs).unref();
  const making = new Map<string, Promise<Uint8Array<ArrayBuffer> | 'too large'>>();
  const inTurn = turns(queue);
  const original = async ({ path, version }: Wanted, method: string): Promise<Response> => {
    const found = await source(new Request(internal + path + version, { method }));
    if (found?.status !== 200) throw new Refusal('not_found', 'This picture was not found.');
    return found;
  };

  const made = async (key: string, wanted: Wanted, format: Format, address: string) => {
    const kept = await cache.get(key);
    if (kept) return kept;
    let work = making.get(key);
    if (!work) {
      work = inTurn(async () => {
        const bytes = await resize(await original(wanted, 'GET'), wanted.width, format);
        if (bytes !== 'too large') await cache.put(key, bytes);
        return bytes;
      }, address).finally(() => making.delete(key));
      making.set(key, work);
    }
    return await work;
  };

  return async (request, url, address) => {
    if (!isRead(request.method)) throw onlyReads();
    const wanted = wantedOf(url.searchParams);
    const described = await original(wanted, 'HEAD');
    const type = described.headers.get('content-type')?.split(';', 1)[0] ?? '';
    if (given.test(type)) return await original(wanted, request.method);
    if (!resized.test(type)) throw new Refusal('unsupported_media_type', 'No picture exists at this address.');

    const format = wanted.format ?? negotiated(request.headers.get('accept'), type);
    // The ETag is a hash of the content, so another query or another file with the same bytes uses the same cached
    // image.
    const content = described.headers.get('etag') ?? wanted.path;
    const key = createHash('sha256')
      .update(JSON.stringify([content, wanted.width, format]))
      .digest('hex');
    const headers = {
      'content-type': `image/${format}`,
      'cache-control': described.headers.get('cache-control') ?? 'public, max-age=0, must-revalidate',
      etag: `"${key.slice(0, 32)}"`,
      vary: 'accept',
    };
    if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers });
    const bytes = await made(key, wanted, format, address);
    // An image that is too large to resize is sent unchanged.
    if (bytes === 'too large') return await original(wanted, request.method);
    return new Response(request.method === 'HEAD' ? null : bytes, {
      headers: { ...headers, 'content-length': String(bytes.byteLength) },
    });
  };
}

/** @throws {Refusal} `invalid_input` for a URL on another site, or for an unsupported size or format. */
function wantedOf(parameters: URLSearchParams): Wanted {
  const refuse = (message: string) => new Refusal('invalid_input', message);
  const address = parameters.get('url') ?? '';
  // Accepts a path with or without a leading slash, because the Netlify adapter's image service omits the slash.
  // Rejects every form that a browser would read as another host, such as `//host` or `/\host`.
  if (!/^\/?[^/\\]/.test(address)) throw refuse('The parameter url must be a path on this site.');
  const { origin, pathname, searchParams } = new URL(address, internal);
  const path = canonicalPath(pathname);
  if (origin !== internal || path === null || /^\/(\.netlify|api)\//i.test(path)) {
    throw refuse('The parameter url must be a path on this site.');
  }
  const width = parameters.get('w');
  if (width !== null && !/^[1-9]\d{0,4}$/.test(width))
    throw refuse('The parameter w must be a whole number of pixels.');
  if ((parameters.get('q') ?? String(quality)) !== String(quality)) throw refuse(`The parameter q must be ${quality}.`);
  const fm = parameters.get('fm');
  const format = formats.find((known) => known === (fm === 'jpg' ? 'jpeg' : fm)) ?? null;
  if (fm !== null && !format) throw refuse('The parameter fm must be avif, webp, jpg or png.');
  const named = searchParams.get('v') ?? '';
  const version = /^[0-9a-f]{1,64}$/.test(named) ? `?v=${named}` : '';
  return { path, version, width: width === null ? null : nextWidth(Number(width)), format };
}

function nextWidth(asked: number): number {
  return widths.find((width) => width >= asked) ?? widest;
}

function negotiated(accept: string | null, type: string): Format {
  if (accept?.includes('image/avif')) return 'avif';
  if (accept?.includes('image/webp')) return 'webp';
  return type === 'image/png' ? 'png' : 'jpeg';
}

/** @returns `too large` if resizing the image would take too much memory. */
async function resize(
  original: Response,
  width: number | null,
  format: Format,
): Promise<Uint8Array<ArrayBuffer> | 'too large'> {
  const bytes = await readUpTo(original, mostBytes);
  if (bytes instanceof ReadableStream) {
    await bytes.cancel();
    return 'too large';
  }
  const sharp = await loadSharp();
  try {
    const picture = sharp(bytes, { limitInputPixels: mostPixelsOfJpeg, sequentialRead: true });
    const described = await picture.metadata();
    // A baseline JPEG is resized line by line while it is read. Other images may have to be decoded in memory as a
    // whole.
    const isReadByLine = described.format === 'jpeg' && described.isProgressive === false;
    if (!isReadByLine && described.width * described.height > mostPixels) return 'too large';
    const resized = await picture
      .autoOrient()
      .resize({ width: width ?? widest, withoutEnlargement: true })
      .toFormat(format, { quality, ...(format === 'avif' && avif) })
      .timeout({ seconds: secondsAtMost })
      .toBuffer();
    return new Uint8Array(resized);
  } catch (error) {
    if (error instanceof Error && error.message.includes('exceeds pixel limit')) return 'too large';
    throw new Refusal('invalid_input', 'This file is damaged or is not a picture.', { cause: error });
  }
}

async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // Uses one thread per image, and no memory cache: finished images are cached on the disk.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
