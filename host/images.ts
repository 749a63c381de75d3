import { createHash } from 'node:crypto';
import { Refusal } from '../netlify/server/http/refusal.ts';
import { imageCache } from './image-cache.ts';

/** Where Netlify's image service answers, and this host's in its place. */
export const imageAddress = '/.netlify/images';

/** Answers a request for a picture of this site in another size or format. */
export type ImageHost = (request: Request, url: URL) => Promise<Response>;

/** Any other size would be a way to keep the machine busy (spec §9). */
const widths: ReadonlySet<string> = new Set(['400', '800', '1200', '1600']);
const quality = 85;
const formats = ['avif', 'webp', 'jpeg', 'png'] as const;
type Format = (typeof formats)[number];

/** What is resized; a drawing or an animation is given as it is. */
const resized = /^image\/(jpeg|png|webp)$/;
const given = /^image\/(svg\+xml|gif|avif)$/;

const mostPixels = 100_000_000;
const secondsAtMost = 20;
const atOnce = 2;
const mostWaiting = 40;
const internal = 'http://host.invalid';

interface Wanted {
  readonly path: string;
  readonly width: number | null;
  readonly format: Format | null;
}

/**
 * The image service of Netlify on one machine: pictures of this site alone, in four widths at quality 85, as AVIF or WebP
 * where the browser takes it.
 * @param folder for what was made before; it is made when missing.
 * @param source answers a path of this site.
 */
export async function imageHost(folder: string, source: (request: Request) => Promise<Response>): Promise<ImageHost> {
  const cache = await imageCache(folder);
  const making = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const waiting: (() => void)[] = [];
  let busy = 0;

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= atOnce) {
      if (waiting.length >= mostWaiting) {
        throw new Refusal('unavailable', 'Too many pictures are being made. Please try again in a moment.', {
          headers: { 'retry-after': '5' },
        });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    busy += 1;
    try {
      return await work();
    } finally {
      busy -= 1;
      waiting.shift()?.();
    }
  };

  const made = async (key: string, wanted: Wanted, format: Format): Promise<Uint8Array<ArrayBuffer>> => {
    const kept = await cache.get(key);
    if (kept) return kept;
    let work = making.get(key);
    if (!work) {
      work = inTurn(async () => {
        const original = await source(new Request(internal + wanted.path));
        const bytes = await resize(new Uint8Array(await original.arrayBuffer()), wanted.width, format);
        await cache.put(key, bytes);
        return bytes;
      }).finally(() => making.delete(key));
      making.set(key, work);
    }
    return await work;
  };

  return async (request, url) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Refusal('method_not_allowed', 'This address answers GET, HEAD.', { headers: { allow: 'GET, HEAD' } });
    }
    const wanted = wantedOf(url.searchParams);
    const original = await source(new Request(internal + wanted.path, { method: 'HEAD' }));
    const type = original.headers.get('content-type')?.split(';', 1)[0] ?? '';
    if (original.status !== 200) throw new Refusal('not_found', 'This picture was not found.');
    if (given.test(type)) return await source(new Request(internal + wanted.path, { method: request.method }));
    if (!resized.test(type)) throw new Refusal('unsupported_media_type', 'There is no picture at this address.');

    const format = wanted.format ?? negotiated(request.headers.get('accept'), type);
    const version = original.headers.get('etag') ?? '';
    const key = createHash('sha256')
      .update(JSON.stringify([wanted.path, version, wanted.width, format]))
      .digest('hex');
    const headers = {
      'content-type': `image/${format}`,
      'cache-control': original.headers.get('cache-control') ?? 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
      etag: `"${key.slice(0, 32)}"`,
      vary: 'accept',
    };
    if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers });
    const bytes = await made(key, wanted, format);
    return new Response(request.method === 'HEAD' ? null : bytes, {
      headers: { ...headers, 'content-length': String(bytes.byteLength) },
    });
  };
}

/** @throws {Refusal} `invalid_input` for an address elsewhere, or a size or format that is not made. */
function wantedOf(parameters: URLSearchParams): Wanted {
  const refuse = (message: string) => new Refusal('invalid_input', message);
  const address = parameters.get('url') ?? '';
  // Only a path: neither a scheme nor a host, in any of the spellings that a browser takes for one.
  if (!/^\/(?![/\\])/.test(address)) throw refuse('The url is a path of this site.');
  const { origin, pathname, search } = new URL(address, internal);
  if (origin !== internal || /^\/(\.netlify|api)\//i.test(pathname)) throw refuse('The url is a path of this site.');
  const width = parameters.get('w');
  if (width !== null && !widths.has(width)) throw refuse(`The width is one of ${[...widths].join(', ')}.`);
  if ((parameters.get('q') ?? String(quality)) !== String(quality)) throw refuse(`The quality is ${quality}.`);
  const fm = parameters.get('fm');
  const format = formats.find((known) => known === (fm === 'jpg' ? 'jpeg' : fm)) ?? null;
  if (fm !== null && !format) throw refuse('The format is avif, webp, jpg or png.');
  return { path: pathname + search, width: width === null ? null : Number(width), format };
}

function negotiated(accept: string | null, type: string): Format {
  if (accept?.includes('image/avif')) return 'avif';
  if (accept?.includes('image/webp')) return 'webp';
  return type === 'image/png' ? 'png' : 'jpeg';
}

async function resize(
  original: Uint8Array<ArrayBuffer>,
  width: number | null,
  format: Format,
): Promise<Uint8Array<ArrayBuffer>> {
  // A native library of some size: only a host that is asked for pictures loads it.
  const { default: sharp } = await import('sharp');
  try {
    const bytes = await sharp(original, { limitInputPixels: mostPixels })
      .autoOrient()
      .resize({ width: width ?? 1600, withoutEnlargement: true })
      .toFormat(format, { quality, ...(format === 'avif' && { effort: 2 }) })
      .timeout({ seconds: secondsAtMost })
      .toBuffer();
    return new Uint8Array(bytes);
  } catch (error) {
    throw new Refusal('invalid_input', 'This picture cannot be read.', { cause: error });
  }
}
