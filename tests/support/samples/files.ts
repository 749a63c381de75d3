import sharp from 'sharp';

/** EXIF data with a location in Torrance, in the format of cameras. */
const gps = {
  IFD0: { Make: 'Secret Camera', Copyright: 'Secret Owner' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '33/1 50/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '118/1 20/1 0/1' },
};

/**
 * Returns a photo of 60 x 40 pixels with camera data and a location. @param orientation the EXIF orientation, 1 to 8.
 */
export async function aPhotograph(format: 'jpeg' | 'png' | 'webp', orientation = 1): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0b4f36' } })
    .withExif(gps)
    .withMetadata({ orientation })
    .withExifMerge(gps)
    .toFormat(format)
    .toBuffer();
  return new Uint8Array(bytes);
}

/** Returns bytes that look random, the same in every run. */
export function noise(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let at = 0; at < length; at += 1) {
    // Marsaglia's xorshift with 32 bits.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  return bytes;
}

/** Returns the bytes of a Latin-1 text, followed by zeros up to a size. */
export function bytesOf(text: string, size = text.length): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(Buffer.from(text, 'latin1'));
  return bytes;
}

/** Returns bytes of this size that begin like a PDF. */
export const aPdf = (size = 2_000) => bytesOf('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', size);

/** Returns a file in the format of Office 97 (OLE). The name of its one stream, such as `Workbook`, shows its type. */
export function anOleFile(stream = 'WordDocument'): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 4_096);
  bytes.set(Buffer.from(stream, 'utf16le'), 1_024);
  return bytes;
}

/** Returns a ZIP archive with entries of these names. @param declared the unpacked size in bytes that each one claims. */
export function aZip(names: readonly string[], declared = 1): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    local.writeUInt32LE(1, 18);
    local.writeUInt32LE(declared, 22);
    local.writeUInt16LE(name.length, 26);
    locals.push(local, Buffer.from(name), Buffer.from('x'));
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02', 'latin1');
    entry.writeUInt32LE(1, 20);
    entry.writeUInt32LE(declared, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    central.push(entry, Buffer.from(name));
    offset += 31 + name.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, list, end]));
}

export const wordFiles = ['[Content_Types].xml', 'word/document.xml'];
export const aDocx = () => aZip(wordFiles);
