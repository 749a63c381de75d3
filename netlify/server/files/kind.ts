import { isSvg } from './svg.ts';
import { isWordArchive } from './word-archive.ts';

/** What a file is by its content. */
export interface FileKind {
  /** As it is served. */
  readonly mimeType: string;
  /** The ending of its address, without a dot. */
  readonly extension: string;
}

const jpeg = { mimeType: 'image/jpeg', extension: 'jpg' };
const png = { mimeType: 'image/png', extension: 'png' };
const gif = { mimeType: 'image/gif', extension: 'gif' };
const webp = { mimeType: 'image/webp', extension: 'webp' };
const svg = { mimeType: 'image/svg+xml', extension: 'svg' };
const pdf = { mimeType: 'application/pdf', extension: 'pdf' };
const doc = { mimeType: 'application/msword', extension: 'doc' };
const docx = {
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  extension: 'docx',
};
const txt = { mimeType: 'text/plain', extension: 'txt' };

/**
 * Decides by content what a file is (decisions, 'Uploads'); its name counts for plain text alone, which has no mark of its
 * own.
 * @returns null for what the media library does not take.
 */
export function kindOf(bytes: Uint8Array, name: string): FileKind | null {
  const begins = (signature: string, at = 0) =>
    Buffer.from(bytes.subarray(at, at + signature.length)).equals(Buffer.from(signature, 'latin1'));
  if (begins('\xff\xd8\xff')) return jpeg;
  if (begins('\x89PNG\r\n\x1a\n')) return png;
  if (begins('GIF87a') || begins('GIF89a')) return gif;
  if (begins('RIFF') && begins('WEBP', 8)) return webp;
  if (begins('%PDF-')) return pdf;
  if (begins('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return isWordDocument(bytes) ? doc : null;
  if (begins('PK\x03\x04')) return isWordArchive(bytes) ? docx : null;
  const text = plainText(bytes);
  if (text === null) return null;
  if (isSvg(text)) return svg;
  return /\.txt$/i.test(name) ? txt : null;
}

/** A compound file holds Word's document where its directory names a stream so. */
function isWordDocument(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from('WordDocument', 'utf16le'));
}

/** UTF-8 without control characters, or null. */
function plainText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}
