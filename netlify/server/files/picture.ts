import { type Pixels, cleanGif, cleanPng, cleanWebp } from './picture-chunks.ts';
import { cleanJpeg } from './jpeg.ts';
import { SvgError, cleanSvg } from './svg.ts';

export interface CleanPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The displayed size; null if the image has no intrinsic size. */
  readonly size: Pixels | null;
}

/** The image is damaged or exceeds a limit. The message is for the person who chose the file. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

/** The limit for any image except a JPEG. More pixels could exhaust the memory of a phone or of the image server. */
export const mostPixels = 24_000_000;
/** The limit for a JPEG, which is resized while it is decoded. Photos from phones with 50 megapixels are accepted. */
export const mostPixelsOfJpeg = 64_500_000;

/**
 * Removes the invisible parts of an image: camera data, locations, comments and scripts. Copies the compressed pixels
 * unchanged, so this code needs no image library.
 * @param mimeType as returned by `kindOf`.
 * @throws {PictureError} if the file is damaged or has too many pixels.
 */
export async function cleanPicture(bytes: Uint8Array<ArrayBuffer>, mimeType: string): Promise<CleanPicture> {
  const cleaned = await clean(bytes, mimeType);
  const most = mimeType === 'image/jpeg' ? mostPixelsOfJpeg : mostPixels;
  if (cleaned.size && mimeType !== 'image/svg+xml' && cleaned.size.width * cleaned.size.height > most) {
    const pixels = `${Math.floor(most / 1_000_000)} megapixels`;
    throw new PictureError(
      `This picture has too many pixels. The limit is ${pixels}. Make the picture smaller and upload it again.`,
    );
  }
  return cleaned;
}

async function clean(bytes: Uint8Array<ArrayBuffer>, mimeType: string): Promise<CleanPicture> {
  try {
    switch (mimeType) {
      case 'image/jpeg':
        return cleanJpeg(bytes);
      case 'image/png':
        return cleanPng(bytes);
      case 'image/gif':
        return cleanGif(bytes);
      case 'image/webp':
        return cleanWebp(bytes);
      case 'image/svg+xml':
        return await cleanSvg(new TextDecoder().decode(bytes));
    }
  } catch (error) {
    // Reading past the end of a truncated file throws a RangeError.
    if (!(error instanceof RangeError) && !(error instanceof SvgError)) throw error;
    const reason = error instanceof SvgError ? error.message : 'the file is damaged or incomplete.';
    throw new PictureError(`This picture cannot be read: ${reason}`, { cause: error });
  }
  throw new TypeError(`no picture: ${mimeType}`);
}
