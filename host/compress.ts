import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Compression, acceptedEncodings } from './accepted-encodings.ts';
import { readUpTo } from './read-up-to.ts';

/** Responses below this number of bytes are not compressed, because they fit into one network packet. */
const leastBytes = 1_200;
/** Responses above this number of bytes are not compressed, because compression needs the whole response in memory. */
const mostBytes = 1024 * 1024;
/** Brotli quality, from 0 to 11. Higher values take up to ten times as long, for only a tenth fewer bytes. */
const quality = 5;

const compressors: Record<Compression, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: promisify(gzip),
};

const texts = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/;

/** Checks whether Netlify's CDN would compress a response. The CDN compresses text that is not a download. */
export function isCompressible({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return (
    [200, 404, 410].includes(status) &&
    texts.test(headers.get('content-type') ?? '') &&
    !headers.has('content-encoding') &&
    !(headers.get('content-disposition')?.startsWith('attachment') ?? false)
  );
}

/**
 * Selects the encoding for a compressible response of `length` bytes; null if the response should not be compressed.
 */
export function encodingFor(request: Request, length: number): Compression | null {
  if (length < leastBytes || request.method === 'HEAD') return null;
  const accepted = acceptedEncodings(request.headers.get('accept-encoding'));
  if (accepted.has('br')) return 'br';
  return accepted.has('gzip') ? 'gzip' : null;
}

export async function compress(bytes: Uint8Array, encoding: Compression): Promise<Uint8Array<ArrayBuffer>> {
  return (await compressors[encoding](bytes)) as Buffer<ArrayBuffer>;
}

/** Changes a response's headers to describe the compressed bytes. */
export function markCompressed(headers: Headers, encoding: Compression, length: number): void {
  headers.set('content-length', String(length));
  headers.delete('accept-ranges');
  headers.set('content-encoding', encoding);
  // A weak ETag, because the compressed response has the same text but different bytes.
  const etag = headers.get('etag');
  if (etag?.startsWith('"')) headers.set('etag', `W/${etag}`);
}

/**
 * Compresses text as Netlify's CDN does, if the client accepts an encoding and the text is at most {@link mostBytes}.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  if (!isCompressible(response)) return response;
  const { headers, status } = response;
  headers.append('vary', 'accept-encoding');
  const known = headers.get('content-length');
  if (encodingFor(request, known === null ? leastBytes : Number(known)) === null) return response;
  const bytes = await readUpTo(response, mostBytes);
  if (bytes instanceof ReadableStream) return new Response(bytes, { status, headers });
  const encoding = encodingFor(request, bytes.byteLength);
  if (encoding === null) return new Response(bytes, { status, headers });
  const smaller = await compress(bytes, encoding);
  markCompressed(headers, encoding, smaller.byteLength);
  return new Response(smaller, { status, headers });
}
