import parseRange from 'range-parser';
import type { Content, Part } from '../platform.ts';
import type { StoredFile } from '../stores/media.ts';
import { contentDisposition } from './attachment.ts';
import { knowsAnswer } from './respond.ts';

/** The bytes of a file, or of the part that is asked for; null where they are lost. */
export type FileSource = (part?: Part) => Promise<Content | null>;

/** Keeps an uploaded file from running scripts, loading anything or being framed. A drawing may have styles. */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/** What browsers may show by themselves; everything else is saved. */
const isShown = (mimeType: string) => /^(image\/|application\/pdf$|text\/plain$)/.test(mimeType);

/**
 * Answers GET and HEAD of an uploaded file: whole, in part, or not at all where the browser has it already. Either is
 * streamed, since a buffered answer of a function holds 6 MB at most, and hundreds of readers must not fill the memory.
 * @param headers of the file alone: how long it may be kept.
 * @returns null where its bytes are lost.
 */
export async function fileAnswer(
  request: Request,
  file: StoredFile,
  source: FileSource,
  headers: Readonly<Record<string, string>>,
): Promise<Response | null> {
  const { fileName, mimeType, size, sha256 } = file;
  const etag = `"${sha256.slice(0, 32)}"`;
  const common = {
    ...headers,
    etag,
    'accept-ranges': 'bytes',
    'content-type': mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType,
    'content-disposition': contentDisposition(isShown(mimeType) ? 'inline' : 'attachment', fileName),
    'content-security-policy': sandbox,
    'cross-origin-resource-policy': 'cross-origin',
  };
  if (knowsAnswer(request, etag)) return new Response(null, { status: 304, headers: common });
  if (request.method === 'HEAD') {
    return new Response(null, { headers: { ...common, 'content-length': String(size) } });
  }

  const range = request.headers.get('range');
  const ifRange = request.headers.get('if-range');
  if (range !== null && (ifRange === null || ifRange === etag)) {
    const wanted = parseRange(size, range, { combine: true });
    // A part of a file must not be kept in the place of the whole.
    const partial = { ...common, 'netlify-cdn-cache-control': 'no-store' };
    if (wanted === -1) {
      return new Response(null, { status: 416, headers: { ...partial, 'content-range': `bytes */${size}` } });
    }
    const [part, another] = wanted === -2 || wanted.type !== 'bytes' ? [] : wanted;
    if (part && !another) {
      const content = await source(part);
      const headersOfPart = {
        ...partial,
        'content-range': `bytes ${part.start}-${part.end}/${size}`,
        'content-length': String(part.end - part.start + 1),
      };
      return content && new Response(content, { status: 206, headers: headersOfPart });
    }
  }
  const content = await source();
  return content && new Response(content, { headers: { ...common, 'content-length': String(size) } });
}
