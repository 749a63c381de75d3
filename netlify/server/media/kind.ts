import { isUtf8 } from 'node:buffer';
import { documentKindOf, documentTypes } from '../files/document-kind.ts';
import { isSvg } from './svg.ts';

/** The type of a file, detected from its content. */
export interface FileKind {
  /** The media type for the response header. */
  readonly mimeType: string;
  /** The extension in the file's URL, without a dot. */
  readonly extension: string;
}

/** The signatures of pictures, as Latin-1 text. */
const pictures: readonly (readonly [RegExp, FileKind])[] = [
  [/^\xff\xd8\xff/, { mimeType: 'image/jpeg', extension: 'jpg' }],
  [/^\x89PNG\r\n\x1a\n/, { mimeType: 'image/png', extension: 'png' }],
  [/^GIF8[79]a/, { mimeType: 'image/gif', extension: 'gif' }],
  [/^RIFF[^]{4}WEBP/, { mimeType: 'image/webp', extension: 'webp' }],
];

/**
 * Detects the type of a file from its content (docs/product.md#uploads). Plain text has no signature, so its name must
 * also have the right extension.
 * @returns null for a type that the media library does not accept.
 */
export function kindOf(bytes: Uint8Array, name: string): FileKind | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  const picture = pictures.find(([signature]) => signature.test(head));
  if (picture) return picture[1];
  const document = documentKindOf(bytes);
  // A PDF signature may also follow other bytes (document-kind.ts). The media library accepts a PDF only if the
  // signature comes first, because browsers display these files, and the other bytes could be an HTML page.
  if (document && (document !== 'pdf' || head.startsWith('%PDF-'))) {
    return { mimeType: documentTypes[document], extension: document };
  }
  const text = plainText(bytes);
  if (text === null) return null;
  if (isSvg(text)) return { mimeType: 'image/svg+xml', extension: 'svg' };
  return /\.txt$/i.test(name) ? { mimeType: 'text/plain', extension: 'txt' } : null;
}

/** Returns the text of a UTF-8 file without control characters, or null. */
function plainText(bytes: Uint8Array): string | null {
  if (!isUtf8(bytes)) return null;
  const text = new TextDecoder().decode(bytes);
  return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? null : text;
}
