import { type Pixels, chunkCounter } from './picture-chunks.ts';

const startOfScan = 0xda;
const endOfImage = 0xd9;
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * Returns a JPEG with only its pixels, color profile and orientation. Drops EXIF, XMP, IPTC, comments, previews and any
 * bytes after the end.
 * @throws {RangeError} if the file is truncated.
 */
export function cleanJpeg(bytes: Uint8Array<ArrayBuffer>): { bytes: Uint8Array<ArrayBuffer>; size: Pixels } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array[] = [];
  let orientation = 1;
  let size: Pixels | null = null;
  const count = chunkCounter();
  let at = 2;
  while (at < bytes.length) {
    if (view.getUint8(at) !== 0xff) throw new RangeError('no marker where one must be');
    const marker = view.getUint8(at + 1);
    // Any number of fill bytes may come before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) break;
    count();
    const end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length) throw new RangeError('a segment ends after the file');
    const segment = bytes.subarray(at, end);
    if (marker === 0xe1) orientation = orientationOf(segment) ?? orientation;
    if (isFrame(marker)) size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    if (isNeeded(marker, segment)) kept.push(segment);
    at = end;
    if (marker === startOfScan) {
      at = endOfScan(bytes, end);
      kept.push(bytes.subarray(end, at));
    }
  }
  if (!size || size.width === 0 || size.height === 0) throw new RangeError('no frame');
  const whole = Buffer.concat([
    Uint8Array.of(0xff, 0xd8),
    ...(orientation > 1 ? [orientationSegment(orientation)] : []),
    ...kept,
    Uint8Array.of(0xff, endOfImage),
  ]);
  const turned = orientation > 4;
  return {
    bytes: new Uint8Array(whole),
    size: turned ? { width: size.height, height: size.width } : size,
  };
}

/** Returns false for comments, and for application segments that do not change how the pixels look. */
function isNeeded(marker: number, segment: Uint8Array): boolean {
  const named = (name: string) => Buffer.from(segment.subarray(4, 4 + name.length)).toString('latin1') === name;
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  if (marker === 0xe0) return named('JFIF\0');
  if (marker === 0xe2) return named('ICC_PROFILE\0');
  return marker === 0xee && named('Adobe');
}

/**
 * Returns where the compressed pixels end: at the first marker that is neither an escaped byte nor a restart marker.
 */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length - 1; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return at;
  }
  return bytes.length;
}

const orientationTag = 0x0112;

/** Returns the orientation in an EXIF segment, from 1 to 8, or null. */
function orientationOf(segment: Uint8Array): number | null {
  if (Buffer.from(segment.subarray(4, 10)).toString('latin1') !== 'Exif\0\0') return null;
  try {
    const view = new DataView(segment.buffer, segment.byteOffset + 10, segment.byteLength - 10);
    const little = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, little);
    const entries = view.getUint16(directory, little);
    for (let entry = 0; entry < entries; entry += 1) {
      const at = directory + 2 + entry * 12;
      if (view.getUint16(at, little) !== orientationTag) continue;
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
