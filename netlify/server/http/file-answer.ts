import parseRange from 'range-parser';
import type { Content, Part } from '../platform.ts';
import { knowsAnswer } from './respond.ts';

/** The data that is needed to serve a file. */
export interface StoredFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
}

/** Returns the bytes of a file, or of a part of the file; null if the bytes are lost. */
type FileSource = (part?: Part) => Promise<Content | null>;

/** The policy of an uploaded file: it cannot run scripts, load anything or be framed. An SVG may have styles. */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/** Returns true for the media types that browsers may display on this site. Files of other types are downloaded. */
const isShown = (mimeType: string) => /^(image\/|application\/pdf$|text\/plain$)/.test(mimeType);

/**
 * Responds to GET and HEAD for an uploaded file with the whole file, a part of the file, or 304 if the browser has the
 * file. The file is streamed, because Netlify limits a function's buffered response to 6 MB, and hundreds of whole
 * files at the same time would fill the memory.
 * @param headers for caching, which depend on the file's URL.
 * @returns null if the file's bytes are lost.
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

  const range = rangeOf(request, { size, etag });
  if (range) {
    // A cache must not store a part under the URL of the whole file.
    const headersOfPart = {
      ...common,
      'netlify-cdn-cache-control': 'no-store',
      ...Object.fromEntries(rangeHeaders(range, size)),
    };
    if (range === 'unsatisfiable') return new Response(null, { status: 416, headers: headersOfPart });
    const content = await source(range);
    return content && new Response(content, { status: 206, headers: headersOfPart });
  }
  const content = await source();
  return content && new Response(content, { headers: { ...common, 'content-length': String(size) } });
}

/**
 * Returns the `Content-Disposition` header, which gives a file its name. Headers allow only Latin-1, so the name is
 * percent-encoded (RFC 5987), with a plain form for old clients.
 * @param name any text, because the person who uploaded the file chose it.
 */
function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_').trim() || 'file';
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/**
 * Returns headers that make a browser save a file and never show it, so its content cannot run on this site.
 * @param name any text, as for {@link contentDisposition}.
 */
export function attachmentHeaders(name: string, type: string): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': contentDisposition('attachment', name),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  };
}

/**
 * Returns the part of a file that a request asks for: null for the whole file, and `unsatisfiable` for a part that the
 * file does not have. A request with several ranges or an invalid range gets the whole file, as RFC 9110 allows.
 */
export function rangeOf(
  request: Request,
  { size, etag }: { size: number; etag: string },
): Part | 'unsatisfiable' | null {
  const range = request.headers.get('range');
  const ifRange = request.headers.get('if-range');
  if (range === null || (ifRange !== null && ifRange !== etag)) return null;
  const wanted = parseRange(size, range, { combine: true });
  if (wanted === -1) return 'unsatisfiable';
  const [part, another] = wanted === -2 || wanted.type !== 'bytes' ? [] : wanted;
  return part && !another ? part : null;
}

/** Returns the headers of a response with status 416, or with status 206 for a part. */
export function rangeHeaders(range: Part | 'unsatisfiable', size: number): [string, string][] {
  if (range === 'unsatisfiable') return [['content-range', `bytes */${size}`]];
  const { start, end } = range;
  return [
    ['content-range', `bytes ${start}-${end}/${size}`],
    ['content-length', String(end - start + 1)],
  ];
}
