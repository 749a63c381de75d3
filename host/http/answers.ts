import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { FastResponse } from 'srvx';
import { rangeHeaders, rangeOf } from '../../netlify/server/http/file-answer.ts';
import { knowsAnswer } from '../../netlify/server/http/respond.ts';

type Encoding = 'br' | 'gzip';
type Bytes = Uint8Array<ArrayBuffer>;

/** A whole response in memory: a file of the build, or the response of a function. */
export interface Answer {
  readonly status: number;
  /** The uncompressed form, and the forms for clients that accept an encoding. */
  readonly forms: Readonly<Partial<Record<Encoding, Form>> & { plain: Form }>;
}

interface Form {
  readonly bytes: Bytes;
  readonly headers: readonly [string, string][];
  /** Each form has its own ETag, because the bytes differ. Null if the response has none. */
  readonly etag: string | null;
}

/** Responses below this number of bytes are not compressed, because they fit into one network packet. */
const leastBytes = 1_200;
const texts = /^(?:text\/|(?:application|image)\/(?:[\w.-]+\+)?(?:json|xml)\b)/;

/** A text above this number of bytes is streamed, because hundreds of them at the same time would fill the memory. */
const mostBytes = 2 * 1024 * 1024;

/** Like Netlify's CDN, the host compresses no downloads. They are streamed. */
const isText = ({ headers }: Response): boolean =>
  texts.test(headers.get('content-type') ?? '') &&
  !headers.get('content-disposition')?.startsWith('attachment') &&
  Number(headers.get('content-length') ?? 0) <= mostBytes;

/** Creates an answer from a response of a function, with a compressed form of a long text. */
export async function answerOf(response: Response): Promise<Answer> {
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id');
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.byteLength < leastBytes || !isText(response)) return answerWith(response.status, headers, bytes, {});
  const compressed = { gzip: await promisify(gzip)(bytes) };
  return answerWith(response.status, [...headers, ['vary', 'accept-encoding']], bytes, compressed);
}

export function answerWith(
  status: number,
  headers: readonly [string, string][],
  plain: Bytes,
  compressed: Partial<Record<Encoding, Bytes | undefined>>,
): Answer {
  const etag = headers.find(([name]) => name === 'etag')?.[1] ?? null;
  const common = headers.filter(([name]) => !['etag', 'content-length', 'accept-ranges'].includes(name));
  const formOf = (encoding: Encoding): Record<string, Form> => {
    const bytes = compressed[encoding];
    if (!bytes) return {};
    const headers = [...common, ['content-encoding', encoding] as [string, string]];
    return { [encoding]: { bytes, headers, etag: etag && etag.replace(/"$/, `-${encoding}"`) } };
  };
  return { status, forms: { plain: { bytes: plain, headers: common, etag }, ...formOf('br'), ...formOf('gzip') } };
}

/** Sends an answer in the smallest form that the client accepts, a part of the uncompressed form, or 304. */
export function send({ status, forms }: Answer, request: Request): Response {
  const asksForPart = status === 200 && request.method === 'GET' && request.headers.has('range');
  const encoding = asksForPart ? undefined : acceptedEncodings(request).find((each) => forms[each]);
  const { bytes, headers, ...form } = forms[encoding ?? 'plain']!;
  const etag = status === 200 ? form.etag : null;
  const own = [...headers];
  if (etag !== null) own.push(['etag', etag]);
  // Ranges refer to the uncompressed form.
  if (etag !== null && !encoding) own.push(['accept-ranges', 'bytes']);
  if (etag !== null && knowsAnswer(request, etag)) {
    return new FastResponse(null, { status: 304, headers: own.filter(([name]) => name !== 'content-type') });
  }
  const range = asksForPart && etag !== null ? rangeOf(request, { size: bytes.byteLength, etag }) : null;
  if (range === null) {
    own.push(['content-length', String(bytes.byteLength)]);
    return new FastResponse(request.method === 'HEAD' ? null : bytes, { status, headers: own });
  }
  own.push(...rangeHeaders(range, bytes.byteLength));
  if (range === 'unsatisfiable') return new FastResponse(null, { status: 416, headers: own });
  return new FastResponse(bytes.subarray(range.start, range.end + 1), { status: 206, headers: own });
}

/** Sends a response of a function that is not cached. */
export async function sendOnce(response: Response, request: Request): Promise<Response> {
  const { status, headers } = response;
  if (status === 200 && request.method !== 'HEAD' && isText(response)) {
    return send(await answerOf(response), request);
  }
  const etag = headers.get('etag');
  const isKnown = status === 200 && etag !== null && knowsAnswer(request, etag);
  if (!isKnown && request.method !== 'HEAD') return response;
  await response.body?.cancel();
  return new Response(null, { status: isKnown ? 304 : status, headers });
}

/** Returns the encodings that a client accepts, the smaller one first. */
function acceptedEncodings({ headers }: Request): readonly Encoding[] {
  const header = headers.get('accept-encoding');
  if (header === null) return [];
  const found = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(['br', 'gzip']);
  return (['br', 'gzip'] as const).filter((encoding) => found.includes(encoding));
}
