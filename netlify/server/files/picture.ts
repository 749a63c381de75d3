import { type Pixels, cleanGif, cleanPng, cleanWebp } from './picture-chunks.ts';
import { cleanJpeg } from './jpeg.ts';
import { SvgError, cleanSvg } from './svg.ts';

export interface CleanPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As shown; null where the picture has no size of its own. */
  readonly size: Pixels | null;
}

/** The file is not the picture that it begins as. The message is for the person who chose it. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

/** More pixels than that exhaust the memory of a visitor's phone, and that of the machine that makes pictures smaller. */
export const mostPixels = 24_000_000;
/** A JPEG is made smaller while it is read, so that photos of phones with 50 megapixels are taken. */
export const mostPixelsOfJpeg = 64_500_000;

/**
 * A picture without what it does not show: camera data, places, comments, scripts. What is shown stays as it was, bit for
 * bit: nothing is compressed again, so no image library is needed where functions must stay small.
 * @param mimeType as `kindOf` gives it.
 * @throws {PictureError} where the file is damaged, or larger than a browser can show.
 */
export async function cleanPicture(bytes: Uint8Array<ArrayBuffer>, mimeType: string): Promise<CleanPicture> {
  const cleaned = await clean(bytes, mimeType);
  const most = mimeType === 'image/jpeg' ? mostPixelsOfJpeg : mostPixels;
  if (cleaned.size && mimeType !== 'image/svg+xml' && cleaned.size.width * cleaned.size.height > most) {
    const pixels = `${Math.floor(most / 1_000_000)} megapixels`;
    throw new PictureError(
      `This picture has too many pixels: at most ${pixels} are possible. Make it smaller and upload it again.`,
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
    // Reading past the end of a file that was cut short.
    if (!(error instanceof RangeError) && !(error instanceof SvgError)) throw error;
    const reason = error instanceof SvgError ? error.message : 'it is damaged or was cut short.';
    throw new PictureError(`This picture cannot be read: ${reason}`, { cause: error });
  }
  throw new TypeError(`no picture: ${mimeType}`);
}
