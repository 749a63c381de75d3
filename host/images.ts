import { createHash } from 'node:crypto';
import { mostPixels, mostPixelsOfJpeg } from '../netlify/server/files/picture.ts';
import { Refusal } from '../netlify/server/http/refusal.ts';
import { turns } from '../netlify/server/turns.ts';
import { canonicalPath } from './canonical-path.ts';
import { imageCache } from './image-cache.ts';
import { readUpTo } from './read-up-to.ts';

/** Where Netlify's image service answers, and this host's in its place. */
export const imageAddress = '/.netlify/images';

/** Answers a visitor's request for a picture of this site in another size or format. */
export type ImageHost = (request: Request, url: URL, address: string) => Promise<Response>;

/** Another size is answered with the next of these: a visitor who asks for every size must not keep the machine busy (spec §9). */
const widths = [400, 800, 1200, 1600] as const;
const widest = 1600;
const quality = 85;
const formats = ['avif', 'webp', 'jpeg', 'png'] as const;
type Format = (typeof formats)[number];

/** What is resized; a drawing or an animation is given as it is. */
const resized = /^image\/(jpeg|png|webp)$/;
const given = /^image\/(svg\+xml|gif|avif)$/;

/** Full color resolution would take twice the memory; WebP has half of it too. */
const avif = { effort: 2, chromaSubsampling: '4:2:0' };
const secondsAtMost = 20;
const internal = 'http://host.invalid';
/** The largest original that is read into memory: the largest file that the library takes, and some. */
const mostBytes = 12 * 1024 * 1024;

/**
 * A picture that is made takes up to 100 MB, two at the same time nearly 200. The pictures of one page wait without taking the
 * places of other visitors.
 */
const queue = {
  atOnce: 1,
  waiting: 60,
  waitingEach: 20,
  busy: 'Too many pictures are being made. Please try again in a moment.',
};

interface Wanted {
  readonly path: string;
  /** The version of the file that its address names, which decides for how long it may be kept. */
  readonly version: string;
  readonly width: number | null;
  readonly format: Format | null;
}

/**
 * The image service of Netlify on one machine: pictures of this site alone, in four widths at quality 85, as AVIF or WebP
 * where the browser takes it.
 * @param folder for what was made before; it is made when missing.
 * @param source answers a path of this site, null where nothing is served under it.
 */
export async function imageHost(
  folder: string,
  source: (request: Request) => Promise<Response | null>,
): Promise<ImageHost> {
  const cache = await imageCache(folder);
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
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Refusal('method_not_allowed', 'This address answers GET, HEAD.', { headers: { allow: 'GET, HEAD' } });
    }
    const wanted = wantedOf(url.searchParams);
    const described = await original(wanted, 'HEAD');
    const type = described.headers.get('content-type')?.split(';', 1)[0] ?? '';
    if (given.test(type)) return await original(wanted, request.method);
    if (!resized.test(type)) throw new Refusal('unsupported_media_type', 'There is no picture at this address.');

    const format = wanted.format ?? negotiated(request.headers.get('accept'), type);
    // The tag is made of the content: neither another query nor another file with the same bytes is a picture to make.
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
    // Too much work to make smaller: it is shown as it is.
    if (bytes === 'too large') return await original(wanted, request.method);
    return new Response(request.method === 'HEAD' ? null : bytes, {
      headers: { ...headers, 'content-length': String(bytes.byteLength) },
    });
  };
}

/** @throws {Refusal} `invalid_input` for an address elsewhere, or a size or format that is not made. */
function wantedOf(parameters: URLSearchParams): Wanted {
  const refuse = (message: string) => new Refusal('invalid_input', message);
  const address = parameters.get('url') ?? '';
  // A path, for which the adapter's image service writes no slash in front; never a host, in any spelling of a browser.
  if (!/^\/?[^/\\]/.test(address)) throw refuse('The url is a path of this site.');
  const { origin, pathname, searchParams } = new URL(address, internal);
  const path = canonicalPath(pathname);
  if (origin !== internal || path === null || /^\/(\.netlify|api)\//i.test(path)) {
    throw refuse('The url is a path of this site.');
  }
  const width = parameters.get('w');
  if (width !== null && !/^[1-9]\d{0,4}$/.test(width)) throw refuse('The width is a whole number of pixels.');
  if ((parameters.get('q') ?? String(quality)) !== String(quality)) throw refuse(`The quality is ${quality}.`);
  const fm = parameters.get('fm');
  const format = formats.find((known) => known === (fm === 'jpg' ? 'jpeg' : fm)) ?? null;
  if (fm !== null && !format) throw refuse('The format is avif, webp, jpg or png.');
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

/** @returns `too large` for a picture that takes too much memory to be made smaller. */
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
  // A native library of some size: only a host that is asked for pictures loads it.
  const { default: sharp } = await import('sharp');
  // One thread a picture, and no pictures kept in memory: what is made is kept on the disk.
  sharp.concurrency(1);
  sharp.cache(false);
  try {
    const picture = sharp(bytes, { limitInputPixels: mostPixelsOfJpeg, sequentialRead: true });
    const described = await picture.metadata();
    // A JPEG is made smaller while it is read, line by line; all others may have to be in memory whole.
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
    throw new Refusal('invalid_input', 'This picture cannot be read.', { cause: error });
  }
}
