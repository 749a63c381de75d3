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

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'));

export const aPdf = bytesOf('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

/** Returns a file in the format of Office 97 (OLE). The name of its one stream, such as `Workbook`, shows its type. */
export const anOleFile = (stream: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(504),
      Buffer.from(stream, 'utf16le'),
      Buffer.alloc(512),
    ]),
  );

/** Returns a ZIP archive of empty files. Each file claims this unpacked size in bytes. */
export function aZip(names: readonly string[], unpackedBytes = 0): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt32LE(unpackedBytes, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name));
    entries.push(entry, Buffer.from(name));
    offset += 30 + name.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, directory, end]));
}

export const wordFiles = ['[Content_Types].xml', 'word/document.xml'];
