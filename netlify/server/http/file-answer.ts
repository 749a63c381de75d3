import type { Content, Part } from '../platform/platform.ts';
import { contentDisposition } from './attachment.ts';
import { rangeHeaders, rangeOf } from './range.ts';
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
