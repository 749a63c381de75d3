const longestComment = 0xffff;
/** The largest unpacked size of a document, in bytes. A larger one may be a zip bomb for the person who opens it. */
const mostUnpackedBytes = 250 * 1024 * 1024;

/**
 * Returns whether a ZIP archive is a Word document without macros. Reads only the central directory at the end of the
 * archive. Nothing is unpacked, so a zip bomb cannot harm the server.
 */
export function isWordArchive(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end === -1 || end + 22 > file.length || file.length - end > 22 + longestComment) return false;
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  let unpacked = 0;
  let document = false;
  let macros = false;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + 46 > end || file.toString('latin1', at, at + 4) !== 'PK\x01\x02') return false;
    unpacked += file.readUInt32LE(at + 24);
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.toString('utf8', at + 46, at + 46 + nameLength).toLowerCase();
    document ||= /^word\/document\d*\.xml$/.test(name);
    macros ||= name.endsWith('vbaproject.bin');
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return document && !macros && unpacked <= mostUnpackedBytes;
}
