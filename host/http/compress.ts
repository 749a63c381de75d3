import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

export type Compression = 'br' | 'gzip';

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

// Caches parsed headers. Browsers send only a handful of different values, so a small cache is enough.
const parsed = new Map<string, readonly Compression[]>();

/** Returns the encodings that a client accepts, the smaller one first. */
export function acceptedEncodings({ headers }: Request): readonly Compression[] {
  const header = headers.get('accept-encoding') ?? '';
  let accepted = parsed.get(header);
  if (!accepted) {
    const found = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(['br', 'gzip']);
    accepted = (['br', 'gzip'] as const).filter((encoding) => header !== '' && found.includes(encoding));
    if (parsed.size < 100) parsed.set(header, accepted);
  }
  return accepted;
}

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
 * Compresses text.
 * @returns the bytes, and the headers of a response with these bytes; null if the text should not be compressed.
 */
export async function compress(
  body: Uint8Array,
  encoding: Compression,
  headers: Headers,
): Promise<{ readonly body: Uint8Array<ArrayBuffer>; readonly headers: Headers } | null> {
  if (body.byteLength < leastBytes || body.byteLength > mostBytes) return null;
  const bytes = (await compressors[encoding](body)) as Buffer<ArrayBuffer>;
  const changed = new Headers(headers);
  changed.set('content-length', String(bytes.byteLength));
  changed.set('content-encoding', encoding);
  changed.delete('accept-ranges');
  // A weak ETag, because the compressed response has the same text but different bytes.
  const etag = headers.get('etag');
  if (etag?.startsWith('"')) changed.set('etag', `W/${etag}`);
  return { body: bytes, headers: changed };
}

/** Compresses a response that no cache may store, if its content is text and the client accepts an encoding. */
export async function compressed(request: Request, response: Response): Promise<Response> {
  if (!isCompressible(response)) return response;
  const { headers, status } = response;
  headers.append('vary', 'accept-encoding');
  const [encoding] = acceptedEncodings(request);
  const stated = Number(headers.get('content-length') ?? leastBytes);
  if (encoding === undefined || request.method === 'HEAD' || stated < leastBytes || stated > mostBytes) return response;
  const plain = new Uint8Array(await response.arrayBuffer());
  const smaller = await compress(plain, encoding, headers);
  return smaller
    ? new Response(smaller.body, { status, headers: smaller.headers })
    : new Response(plain, { status, headers });
}
