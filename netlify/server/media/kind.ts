import { documentKindOf, documentTypes } from '../files/document-kind.ts';
import { isSvg } from './svg.ts';

/** The type of a file, detected from its content. */
export interface FileKind {
  /** The media type for the response header. */
  readonly mimeType: string;
  /** The extension in the file's URL, without a dot. */
  readonly extension: string;
}

const jpeg = { mimeType: 'image/jpeg', extension: 'jpg' };
const png = { mimeType: 'image/png', extension: 'png' };
const gif = { mimeType: 'image/gif', extension: 'gif' };
const webp = { mimeType: 'image/webp', extension: 'webp' };
const svg = { mimeType: 'image/svg+xml', extension: 'svg' };
const txt = { mimeType: 'text/plain', extension: 'txt' };

/**
 * Detects the type of a file from its content (docs/product.md#uploads). Plain text has no signature, so its name must
 * also have the right extension.
 * @returns null for a type that the media library does not accept.
 */
export function kindOf(bytes: Uint8Array, name: string): FileKind | null {
  const begins = (signature: string, at = 0) =>
    Buffer.from(bytes.subarray(at, at + signature.length)).equals(Buffer.from(signature, 'latin1'));
  if (begins('\xff\xd8\xff')) return jpeg;
  if (begins('\x89PNG\r\n\x1a\n')) return png;
  if (begins('GIF87a') || begins('GIF89a')) return gif;
  if (begins('RIFF') && begins('WEBP', 8)) return webp;
  const document = documentKindOf(bytes);
  // A PDF signature may also follow other bytes (document-kind.ts). The media library accepts a PDF only if the
  // signature comes first, because browsers display these files, and the other bytes could be an HTML page.
  if (document && (document !== 'pdf' || begins('%PDF-'))) {
    return { mimeType: documentTypes[document], extension: document };
  }
  const text = plainText(bytes);
  if (text === null) return null;
  if (isSvg(text)) return svg;
  return /\.txt$/i.test(name) ? txt : null;
}

/** Returns the text of a UTF-8 file without control characters, or null. */
function plainText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}
