import { logoTypes } from '../../../src/domain/site/logo.ts';
import { kindOf } from './kind.ts';
import { cleanPicture } from './picture.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import { Refusal } from '../refusal.ts';
import type { NewMedia } from './store.ts';

const notTaken = (name: string) => {
  const [ending] = /\.(?:jpe?g|png|gif|webp|svg|pdf|docx?|txt)$/i.exec(name) ?? [];
  const why = ending
    ? `The name of this file ends in ${ending}, but its content isn't a supported ${ending.slice(1).toUpperCase()} file.`
    : "This file type isn't supported.";
  const how = ending?.toLowerCase() === '.txt' ? ' Save it with UTF-8 encoding.' : '';
  return new Refusal(
    'unsupported_media_type',
    `${why}${how} You can upload pictures (JPEG, PNG, GIF, WebP, SVG) and PDF, DOC, DOCX and TXT files.`,
  );
};

/**
 * Prepares a file for the media library: detects the type from the content, and removes metadata from images.
 * @throws {Refusal} `unsupported_media_type` for a type that the library does not accept; `invalid_input` for an empty
 * file, a damaged image, or an image with too many pixels.
 */
export async function receiveMedia({ name, bytes }: ReceivedFile): Promise<NewMedia> {
  if (bytes.byteLength === 0) throw new Refusal('invalid_input', 'The file is empty.');
  const kind = kindOf(bytes, name);
  if (!kind) throw notTaken(name);
  const file = { originalName: name, fileName: addressName(name, kind.extension), mimeType: kind.mimeType };
  if (!kind.mimeType.startsWith('image/')) return { ...file, bytes, width: null, height: null };
  const { bytes: cleaned, size } = await cleanPicture(bytes, kind.mimeType);
  return { ...file, bytes: cleaned, width: size?.width ?? null, height: size?.height ?? null };
}

/** Like {@link receiveMedia}, for the image types that a logo may have (docs/product.md#logo). */
export async function receiveLogo(file: ReceivedFile): Promise<NewMedia> {
  const kind = kindOf(file.bytes, file.name);
  if (!kind || !logoTypes.has(kind.mimeType)) {
    throw new Refusal('unsupported_media_type', 'Please select a valid image file (JPG, PNG, GIF, SVG, or WebP)');
  }
  return await receiveMedia(file);
}

const longestAddressName = 80;

/**
 * Returns the last segment of a file's URL: its name in lowercase letters, digits and hyphens, and the extension of its
 * type.
 */
function addressName(name: string, extension: string): string {
  const plain = name
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestAddressName)
    .replace(/^-|-$/g, '');
  return `${plain || 'file'}.${extension}`;
}
