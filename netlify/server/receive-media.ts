import { logoTypes } from '../../src/domain/logo.ts';
import { kindOf } from './files/kind.ts';
import { PictureError, cleanPicture } from './files/picture.ts';
import type { ReceivedFile } from './http/multipart.ts';
import { Refusal } from './http/refusal.ts';
import type { NewMedia } from './stores/media.ts';

const notTaken = (what: string) =>
  new Refusal('unsupported_media_type', `This is not a file that can be used here. ${what}`);

/**
 * A file as the library keeps it: its type told by its content, pictures without what they do not show.
 * @throws {Refusal} `unsupported_media_type` for any other type, `invalid_input` for a picture that is damaged.
 */
export async function receiveMedia({ name, bytes }: ReceivedFile): Promise<NewMedia> {
  if (bytes.byteLength === 0) throw new Refusal('invalid_input', 'The file is empty.');
  const kind = kindOf(bytes, name);
  if (!kind) throw notTaken('Pictures (JPEG, PNG, GIF, WebP, SVG), PDF, DOC, DOCX and TXT files are.');
  const file = { originalName: name, fileName: addressName(name, kind.extension), mimeType: kind.mimeType };
  if (!kind.mimeType.startsWith('image/')) return { ...file, bytes, width: null, height: null };
  try {
    const picture = await cleanPicture(bytes, kind.mimeType);
    return { ...file, bytes: picture.bytes, width: picture.size?.width ?? null, height: picture.size?.height ?? null };
  } catch (error) {
    if (error instanceof PictureError) throw new Refusal('invalid_input', error.message, { cause: error });
    throw error;
  }
}

/** As {@link receiveMedia}, for the pictures that a logo may be (spec §5). */
export async function receiveLogo(file: ReceivedFile): Promise<NewMedia> {
  const kind = kindOf(file.bytes, file.name);
  if (!kind || !logoTypes.has(kind.mimeType)) {
    throw new Refusal('unsupported_media_type', 'Please select a valid image file (JPG, PNG, GIF, SVG, or WebP)');
  }
  return await receiveMedia(file);
}

const longestAddressName = 80;

/** The last part of a file's address: small letters, digits and hyphens of its name, and the ending of what it is. */
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
