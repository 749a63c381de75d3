import { type Pixels, SvgError, cleanSvg } from './svg.ts';

type Bytes = Uint8Array<ArrayBuffer>;

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
 * unchanged, so this code needs no image library (docs/decisions/0006-images-cleaned-not-recompressed.md).
 * @param mimeType as returned by `kindOf`.
 * @returns the image, and its displayed size; the size is null for a drawing that states none.
 * @throws {PictureError} if the file is damaged or has too many pixels.
 */
export async function cleanPicture(bytes: Bytes, mimeType: string): Promise<{ bytes: Bytes; size: Pixels | null }> {
  try {
    if (mimeType === 'image/svg+xml') return await cleanSvg(new TextDecoder().decode(bytes));
    const { kept, size } = visiblePartsOf(bytes, mimeType);
    const most = mimeType === 'image/jpeg' ? mostPixelsOfJpeg : mostPixels;
    if (size.width * size.height > most) {
      const pixels = `${Math.floor(most / 1_000_000)} megapixels`;
      throw new PictureError(
        `This picture has too many pixels. The limit is ${pixels}. Make the picture smaller and upload it again.`,
      );
    }
    return { bytes: new Uint8Array(Buffer.concat(kept)), size };
  } catch (error) {
    // Reading past the end of a truncated file throws a RangeError.
    if (!(error instanceof RangeError) && !(error instanceof SvgError)) throw error;
    const reason = error instanceof SvgError ? error.message : 'the file is damaged or incomplete.';
    throw new PictureError(`This picture cannot be read: ${reason}`, { cause: error });
  }
}

/** The parts of a file that are needed to show the image, in order, and its displayed size. */
interface VisibleParts {
  readonly kept: Uint8Array[];
  readonly size: Pixels;
}

function visiblePartsOf(bytes: Bytes, mimeType: string): VisibleParts {
  const view = viewOf(bytes);
  switch (mimeType) {
    case 'image/jpeg':
      return ofJpeg(bytes, view);
    case 'image/png':
      return ofPng(bytes, view);
    case 'image/gif':
      return ofGif(bytes, view);
    case 'image/webp':
      return ofWebp(bytes, view);
  }
  throw new TypeError(`no picture: ${mimeType}`);
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textAt = (bytes: Uint8Array, at: number, length: number) =>
  Buffer.from(bytes.subarray(at, at + length)).toString('latin1');

/** Real images have hundreds of chunks. Reading millions of tiny chunks would take seconds. */
const mostChunks = 20_000;

/** Returns a chunk. @throws {RangeError} if the chunk ends after the file, or follows too many others. */
function chunkOf(bytes: Bytes, at: number, end: number, count: number): Bytes {
  if (end > bytes.length || count > mostChunks) throw new RangeError('a chunk ends after the file');
  return bytes.subarray(at, end);
}

/** Keeps the pixels, the color profile and the orientation. */
function ofJpeg(bytes: Bytes, view: DataView): VisibleParts {
  const kept: Uint8Array[] = [];
  let orientation = 1;
  let size: Pixels | null = null;
  let at = 2;
  for (let count = 0; at < bytes.length; count += 1) {
    if (view.getUint8(at) !== 0xff) throw new RangeError('no marker where one must be');
    const marker = view.getUint8(at + 1);
    // Any number of fill bytes may come before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // The end of the image.
    if (marker === 0xd9) break;
    const segment = chunkOf(bytes, at, at + 2 + view.getUint16(at + 2), count);
    at += segment.length;
    if (marker === 0xe1) orientation = orientationOf(segment) ?? orientation;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) size = { width: viewOf(segment).getUint16(7), height: viewOf(segment).getUint16(5) };
    if (isNeeded(marker, segment)) kept.push(segment);
    // The compressed pixels follow the start of a scan.
    if (marker === 0xda) {
      const end = endOfScan(bytes, at);
      kept.push(bytes.subarray(at, end));
      at = end;
    }
  }
  if (!size || size.width === 0 || size.height === 0) throw new RangeError('no frame');
  const turned = orientation > 4;
  return {
    kept: [
      Uint8Array.of(0xff, 0xd8),
      ...(orientation > 1 ? [orientationSegment(orientation)] : []),
      ...kept,
      Uint8Array.of(0xff, 0xd9),
    ],
    size: turned ? { width: size.height, height: size.width } : size,
  };
}

/** Returns false for comments, and for application segments that do not change how the pixels look. */
function isNeeded(marker: number, segment: Uint8Array): boolean {
  const named = (name: string) => textAt(segment, 4, name.length) === name;
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  if (marker === 0xe0) return named('JFIF\0');
  if (marker === 0xe2) return named('ICC_PROFILE\0');
  return marker === 0xee && named('Adobe');
}

/** Returns where the compressed pixels end: at the first marker that is no escaped byte and no restart marker. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length - 1; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return at;
  }
  return bytes.length;
}

/** Returns the orientation in an EXIF segment, from 1 to 8, or null. */
function orientationOf(segment: Uint8Array): number | null {
  if (textAt(segment, 4, 6) !== 'Exif\0\0') return null;
  try {
    const view = viewOf(segment.subarray(10));
    const little = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, little);
    const entries = view.getUint16(directory, little);
    for (let entry = 0; entry < entries; entry += 1) {
      const at = directory + 2 + entry * 12;
      if (view.getUint16(at, little) !== 0x0112) continue;
      const value = view.getUint16(at + 8, little);
      return value >= 1 && value <= 8 ? value : null;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

/** Returns an EXIF segment with only the orientation. */
function orientationSegment(orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const body = [...Buffer.from('Exif\0\0', 'latin1'), ...tiff];
  return Uint8Array.from([0xff, 0xe1, 0, body.length + 2, ...body]);
}

/** The chunks of a PNG that contain text, times or camera data. */
const pngSecrets = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME']);

function ofPng(bytes: Bytes, view: DataView): VisibleParts {
  if (textAt(bytes, 12, 4) !== 'IHDR') throw new RangeError('no header');
  const kept: Uint8Array[] = [bytes.subarray(0, 8)];
  let name = '';
  for (let at = 8, count = 0; name !== 'IEND'; count += 1) {
    const chunk = chunkOf(bytes, at, at + 12 + view.getUint32(at), count);
    name = textAt(chunk, 4, 4);
    if (!pngSecrets.has(name)) kept.push(chunk);
    at += chunk.length;
  }
  return { kept, size: { width: view.getUint32(16), height: view.getUint32(20) } };
}

/** The flags of a WebP that announce camera data and XMP. */
const webpSecrets = 0x08 | 0x04;

function ofWebp(bytes: Bytes, view: DataView): VisibleParts {
  const kept: Uint8Array[] = [];
  let size: Pixels | null = null;
  const whole = 8 + view.getUint32(4, true);
  for (let at = 12, count = 0; at < whole; count += 1) {
    const name = textAt(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    const chunk = chunkOf(bytes, at, at + 8 + length, count).slice();
    at += 8 + length + (length % 2);
    if (name === 'EXIF' || name === 'XMP ') continue;
    if (name === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~webpSecrets;
    size ??= webpSize(name, viewOf(chunk.subarray(8)));
    kept.push(chunk, new Uint8Array(length % 2));
  }
  if (!size) throw new RangeError('no picture');
  const head = bytes.slice(0, 12);
  viewOf(head).setUint32(4, 4 + kept.reduce((sum, { length }) => sum + length, 0), true);
  return { kept: [head, ...kept], size };
}

function webpSize(name: string, chunk: DataView): Pixels | null {
  const three = (at: number) => chunk.getUint16(at, true) + chunk.getUint8(at + 2) * 65_536;
  switch (name) {
    case 'VP8X':
      return { width: three(4) + 1, height: three(7) + 1 };
    case 'VP8 ':
      return { width: chunk.getUint16(6, true) & 0x3fff, height: chunk.getUint16(8, true) & 0x3fff };
    case 'VP8L': {
      const bits = chunk.getUint32(1, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return null;
  }
}

/** The application extensions of a GIF that state how often an animation repeats. All others are dropped. */
const gifLoops = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);

function ofGif(bytes: Bytes, view: DataView): VisibleParts {
  const colorsOf = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const afterBlocks = (from: number): number => {
    let at = from;
    for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
    return at + 1;
  };
  let at = 13 + colorsOf(view.getUint8(10));
  const kept: Uint8Array[] = [bytes.subarray(0, at)];
  for (let count = 0; view.getUint8(at) !== 0x3b; count += 1) {
    const kind = view.getUint8(at);
    if (kind !== 0x21 && kind !== 0x2c) throw new RangeError('no block where one must be');
    const label = view.getUint8(at + 1);
    const end = kind === 0x2c ? afterBlocks(at + 11 + colorsOf(view.getUint8(at + 9))) : afterBlocks(at + 2);
    const isNote = kind === 0x21 && (label === 0xfe || (label === 0xff && !gifLoops.has(textAt(bytes, at + 3, 11))));
    const block = chunkOf(bytes, at, end, count);
    if (!isNote) kept.push(block);
    at = end;
  }
  kept.push(Uint8Array.of(0x3b));
  return { kept, size: { width: view.getUint16(6, true), height: view.getUint16(8, true) } };
}
