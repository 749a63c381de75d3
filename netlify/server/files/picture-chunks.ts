export interface Pixels {
  readonly width: number;
  readonly height: number;
}

interface Cleaned {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: Pixels;
}

/** Real images have hundreds of chunks. Reading millions of tiny chunks would take seconds. */
const mostChunks = 20_000;

/**
 * Limits the number of chunks in an image. @returns a function to call for each chunk, which throws a RangeError above
 * the limit.
 */
export function chunkCounter(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > mostChunks) throw new RangeError('too many chunks');
  };
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textAt = (bytes: Uint8Array, at: number, length: number) =>
  Buffer.from(bytes.subarray(at, at + length)).toString('latin1');
const joined = (parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** The chunks of a PNG that contain text, times or camera data. */
const pngSecrets = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME']);

/**
 * Returns a PNG without text, times, camera data and bytes after the end. @throws {RangeError} if the file is
 * truncated.
 */
export function cleanPng(bytes: Uint8Array<ArrayBuffer>): Cleaned {
  const view = viewOf(bytes);
  if (textAt(bytes, 12, 4) !== 'IHDR') throw new RangeError('no header');
  const kept = [bytes.subarray(0, 8)];
  const count = chunkCounter();
  for (let at = 8; ;) {
    count();
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length) throw new RangeError('a chunk ends after the file');
    const name = textAt(bytes, at + 4, 4);
    if (!pngSecrets.has(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') break;
    at = end;
  }
  return { bytes: joined(kept), size: { width: view.getUint32(16), height: view.getUint32(20) } };
}

const hasExif = 0x08;
const hasXmp = 0x04;

/** Returns a WebP without camera data and XMP. @throws {RangeError} if the file is truncated. */
export function cleanWebp(bytes: Uint8Array<ArrayBuffer>): Cleaned {
  const view = viewOf(bytes);
  const kept: Uint8Array[] = [];
  let size: Pixels | null = null;
  const whole = 8 + view.getUint32(4, true);
  const count = chunkCounter();
  for (let at = 12; at < whole;) {
    count();
    const name = textAt(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    if (at + 8 + length > bytes.length) throw new RangeError('a chunk ends after the file');
    if (name !== 'EXIF' && name !== 'XMP ') {
      const chunk = bytes.slice(at, end);
      if (name === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~(hasExif | hasXmp);
      size ??= webpSize(name, viewOf(bytes.subarray(at + 8, end)));
      kept.push(chunk);
    }
    at = end;
  }
  if (!size) throw new RangeError('no picture');
  const body = joined(kept);
  const head = new Uint8Array(12);
  head.set(bytes.subarray(0, 12));
  viewOf(head).setUint32(4, 4 + body.length, true);
  return { bytes: joined([head, body]), size };
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

/**
 * The application extensions that state how often an animation repeats. All other application extensions are dropped.
 */
const gifLoops = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);

/**
 * Returns a GIF without comments, application data and bytes after the end. @throws {RangeError} if the file is
 * truncated.
 */
export function cleanGif(bytes: Uint8Array<ArrayBuffer>): Cleaned {
  const view = viewOf(bytes);
  const colorsOf = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const afterBlocks = (from: number): number => {
    let at = from;
    for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
    return at + 1;
  };
  let at = 13 + colorsOf(view.getUint8(10));
  const kept = [bytes.subarray(0, at)];
  const count = chunkCounter();
  for (;;) {
    count();
    const kind = view.getUint8(at);
    if (kind === 0x3b) break;
    if (kind !== 0x21 && kind !== 0x2c) throw new RangeError('no block where one must be');
    const label = view.getUint8(at + 1);
    const end = kind === 0x2c ? afterBlocks(at + 11 + colorsOf(view.getUint8(at + 9))) : afterBlocks(at + 2);
    const isNote = kind === 0x21 && (label === 0xfe || (label === 0xff && !gifLoops.has(textAt(bytes, at + 3, 11))));
    if (!isNote) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return {
    bytes: joined([...kept, Uint8Array.of(0x3b)]),
    size: { width: view.getUint16(6, true), height: view.getUint16(8, true) },
  };
}
