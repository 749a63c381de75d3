import { imageSize } from 'image-size';
import { mostPixels, mostPixelsOfJpeg } from '../../../src/domain/site/media.ts';
import { Refusal } from '../refusal.ts';
import { cleanSvg, unreadable } from './svg.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface CleanedPicture {
  readonly bytes: Bytes;
  readonly size: { readonly width: number; readonly height: number } | null;
}

/**
 * Removes the invisible parts of an image: camera data, locations, comments and scripts. Copies the compressed pixels
 * unchanged (docs/decisions/0006-images-cleaned-not-recompressed.md).
 * @param mimeType as returned by `kindOf`.
 * @returns the image, and its displayed size; the size is null for a drawing that states none.
 * @throws {Refusal} `invalid_input` if the file is damaged or has too many pixels.
 */
export async function cleanPicture(bytes: Bytes, mimeType: string): Promise<CleanedPicture> {
  if (mimeType === 'image/svg+xml') {
    const drawing = await cleanSvg(new TextDecoder().decode(bytes));
    return { bytes: drawing, size: statedSize(withSpacesInViewBox(drawing)) };
  }
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let visible: Bytes;
  try {
    visible = new Uint8Array(cleaners[mimeType as keyof typeof cleaners](file));
  } catch (error) {
    throw unreadable('the file is damaged or incomplete.', error);
  }
  const stated = statedSize(visible);
  if (!stated) throw unreadable('the file is damaged or incomplete.');
  const { width, height, orientation = 1 } = stated;
  const most = mimeType === 'image/jpeg' ? mostPixelsOfJpeg : mostPixels;
  if (width * height > most) {
    const message = `This picture has too many pixels. The limit is ${Math.floor(most / 1_000_000)} megapixels. Make the picture smaller and upload it again.`;
    throw new Refusal('invalid_input', message);
  }
  return { bytes: visible, size: orientation > 4 ? { width: height, height: width } : { width, height } };
}

/** Reads the size and the orientation that a file states; null if it states no usable size or is damaged. */
function statedSize(file: Uint8Array): ReturnType<typeof imageSize> | null {
  try {
    const stated = imageSize(file);
    // The library returns NaN or Infinity for an SVG with an incomplete size.
    return [stated.width, stated.height].every((side) => Number.isSafeInteger(side) && side > 0) ? stated : null;
  } catch {
    return null;
  }
}

/** The library splits a view box only at single spaces. SVG also allows commas and line breaks. */
const withSpacesInViewBox = (drawing: Uint8Array) =>
  Buffer.from(
    Buffer.from(drawing)
      .toString()
      .replace(/(?<=\sviewBox=")[^"]*/, (box) => box.trim().replace(/[\s,]+/g, ' ')),
  );

const cleaners = { 'image/jpeg': cleanJpeg, 'image/png': cleanPng, 'image/gif': cleanGif, 'image/webp': cleanWebp };

/** A part of a file. The image looks the same without a hidden part. */
interface Part {
  /** Where the next part begins. */
  readonly end: number;
  readonly isHidden: boolean;
  readonly isLast: boolean;
}

/** Real images have hundreds of parts. Reading millions of tiny parts would take seconds. */
const mostParts = 20_000;

/**
 * Returns a file without its hidden parts.
 * @param from where the first part begins, after the header of the file.
 * @param partAt describes the part that begins at a position.
 * @throws {RangeError} if a part ends after the file, or if the file has too many parts.
 */
function visibleParts(file: Buffer, from: number, partAt: (at: number) => Part): Buffer[] {
  const kept = [file.subarray(0, from)];
  let part: Part = { end: from, isHidden: false, isLast: false };
  for (let count = 0; !part.isLast; count += 1) {
    const at = part.end;
    part = partAt(at);
    if (part.end > file.length || count > mostParts) throw new RangeError('a part ends after the file');
    if (!part.isHidden) kept.push(file.subarray(at, part.end));
  }
  return kept;
}

const textAt = (file: Buffer, at: number, length: number) => file.toString('latin1', at, at + length);

/** Keeps the pixels, the color profile and the orientation. */
function cleanJpeg(file: Buffer): Buffer {
  const [start, ...kept] = visibleParts(file, 2, (at) => {
    if (file.readUInt8(at) !== 0xff) throw new RangeError('no marker where one must be');
    const marker = file.readUInt8(at + 1);
    // Any number of fill bytes may come before a marker.
    if (marker === 0xff) return { end: at + 1, isHidden: true, isLast: false };
    // The end of the image.
    if (marker === 0xd9) return { end: at + 2, isHidden: true, isLast: true };
    const segmentEnd = at + 2 + file.readUInt16BE(at + 2);
    // The compressed pixels follow the start of a scan.
    const end = marker === 0xda ? endOfScan(file, segmentEnd) : segmentEnd;
    return { end, isHidden: isHiddenSegment(file, at), isLast: end === file.length };
  });
  return Buffer.concat([start!, orientationSegment(orientationOf(file)), ...kept, Buffer.of(0xff, 0xd9)]);
}

/** The application segments that change how the pixels look, by their markers. */
const neededSegments: Readonly<Record<number, string>> = { 0xe0: 'JFIF\0', 0xe2: 'ICC_PROFILE\0', 0xee: 'Adobe' };

/** Returns true for comments, and for all other application segments. */
function isHiddenSegment(file: Buffer, at: number): boolean {
  const marker = file.readUInt8(at + 1);
  const needed = neededSegments[marker];
  if (needed !== undefined) return textAt(file, at + 4, needed.length) !== needed;
  return marker === 0xfe || (marker >= 0xe0 && marker <= 0xef);
}

/** Returns where the compressed pixels end: at the first marker that is no escaped byte and no restart marker. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return at;
  }
  return file.length;
}

/** Returns the orientation that the camera data state, from 1 to 8. Damaged camera data state none. */
function orientationOf(file: Buffer): number {
  const { orientation = 1 } = statedSize(file) ?? {};
  return orientation <= 8 ? orientation : 1;
}

/** Returns an EXIF segment with only the orientation, or no bytes for an upright picture. */
function orientationSegment(orientation: number): Buffer {
  if (orientation <= 1) return Buffer.alloc(0);
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const body = [...Buffer.from('Exif\0\0', 'latin1'), ...tiff];
  return Buffer.from([0xff, 0xe1, 0, body.length + 2, ...body]);
}

/** The chunks of a PNG that contain text, times or camera data. */
const hiddenInPng = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME']);

function cleanPng(file: Buffer): Buffer {
  const kept = visibleParts(file, 8, (at) => {
    const name = textAt(file, at + 4, 4);
    return { end: at + 12 + file.readUInt32BE(at), isHidden: hiddenInPng.has(name), isLast: name === 'IEND' };
  });
  return Buffer.concat(kept);
}

/** The flags of a WebP that announce camera data and XMP. */
const webpSecrets = 0x08 | 0x04;

function cleanWebp(file: Buffer): Buffer {
  const whole = 8 + file.readUInt32LE(4);
  const kept = visibleParts(file, 12, (at) => {
    const name = textAt(file, at, 4);
    const end = at + 8 + file.readUInt32LE(at + 4);
    // A byte follows each chunk of odd length. Some programs omit this byte after the last chunk.
    const padded = end < file.length ? end + (end % 2) : end;
    return { end: padded, isHidden: name === 'EXIF' || name === 'XMP ', isLast: padded >= whole };
  });
  const cleaned = Buffer.concat(kept);
  if (textAt(cleaned, 12, 4) === 'VP8X') cleaned.writeUInt8(cleaned.readUInt8(20) & ~webpSecrets, 20);
  cleaned.writeUInt32LE(cleaned.length - 8, 4);
  return cleaned;
}

/** The application extensions of a GIF that state how often an animation repeats. All others are dropped. */
const gifLoops = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);

function cleanGif(file: Buffer): Buffer {
  const colorsOf = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const afterBlocks = (from: number): number => {
    let at = from;
    for (let length = file.readUInt8(at); length > 0; length = file.readUInt8(at)) at += 1 + length;
    return at + 1;
  };
  const kept = visibleParts(file, 13 + colorsOf(file.readUInt8(10)), (at) => {
    const kind = file.readUInt8(at);
    if (kind === 0x3b) return { end: at + 1, isHidden: false, isLast: true };
    if (kind === 0x2c) {
      const end = afterBlocks(at + 11 + colorsOf(file.readUInt8(at + 9)));
      return { end, isHidden: false, isLast: false };
    }
    if (kind !== 0x21) throw new RangeError('no block where one must be');
    const label = file.readUInt8(at + 1);
    const isHidden = label === 0xfe || (label === 0xff && !gifLoops.has(textAt(file, at + 3, 11)));
    return { end: afterBlocks(at + 2), isHidden, isLast: false };
  });
  return Buffer.concat(kept);
}
