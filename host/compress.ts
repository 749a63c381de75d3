import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Compression, acceptedEncodings } from './accepted-encodings.ts';

/** As much as comes in one packet anyway. */
const leastBytes = 1_200;
/** Of a text in a moment: the higher levels take ten times as long for a tenth less. */
const quality = 5;

const compressors: Record<Compression, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: promisify(gzip),
};

const texts = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/;

/**
 * A function's answer as Netlify's CDN sends it: text is compressed for whoever takes that. A download is left as it is:
 * it may be a stream that is longer than memory.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response;
  if (
    request.method === 'HEAD' ||
    ![200, 404, 410].includes(status) ||
    !texts.test(headers.get('content-type') ?? '')
  ) {
    return response;
  }
  if (headers.has('content-encoding') || headers.get('content-disposition')?.startsWith('attachment')) return response;
  headers.append('vary', 'accept-encoding');
  const accepted = acceptedEncodings(request.headers.get('accept-encoding'));
  const encoding = accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : null;
  if (encoding === null || Number(headers.get('content-length') ?? leastBytes) < leastBytes) return response;

  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length < leastBytes) return new Response(bytes, { status, headers });
  const smaller = (await compressors[encoding](bytes)) as Buffer<ArrayBuffer>;
  headers.set('content-length', String(smaller.length));
  headers.delete('accept-ranges');
  headers.set('content-encoding', encoding);
  // The same text in other bytes.
  const etag = headers.get('etag');
  if (etag?.startsWith('"')) headers.set('etag', `W/${etag}`);
  return new Response(smaller, { status, headers });
}
