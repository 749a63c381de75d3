const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const longestComment = 0xffff;
const mostEntries = 10_000;
/** What the files of a document may unpack to, in bytes: a larger promise is a trap for whoever opens it. */
const mostUnpackedBytes = 512 * 1024 * 1024;

/**
 * Whether a ZIP archive holds a Word document. Only its directory is read: nothing is unpacked, so nothing can be
 * unpacked into too much.
 */
export function isWordArchive(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(view);
  if (end === null) return false;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > mostEntries) return false;
  const names = new Set<string>();
  let unpacked = 0;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + 46 > end || view.getUint32(at, true) !== entrySignature) return false;
    unpacked += view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    names.add(Buffer.from(bytes.subarray(at + 46, at + 46 + nameLength)).toString('latin1'));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return (
    names.has('[Content_Types].xml') &&
    names.has('word/document.xml') &&
    !names.has('word/vbaProject.bin') &&
    unpacked <= mostUnpackedBytes
  );
}

function endOfDirectory(view: DataView): number | null {
  const first = Math.max(0, view.byteLength - endBytes - longestComment);
  for (let at = view.byteLength - endBytes; at >= first; at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  return null;
}
