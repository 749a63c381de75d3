import type { ResumeKind } from '../../../src/domain/submissions/application.ts';

/** The media types for the `Content-Type` of served documents, by file type. */
export const documentTypes: Readonly<Record<ResumeKind, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** The signature of a PDF must be within this many bytes of the start. PDF readers use the same limit. */
const pdfHeaderBytes = 1024;
const programs = ['MZ', '\x7fELF', '#!', '\xca\xfe\xba\xbe', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe'];
const longestZipComment = 0xffff;
/** The largest unpacked size of a document, in bytes. A larger one may be a zip bomb for the person who opens it. */
const mostUnpackedBytes = 250 * 1024 * 1024;
const compoundFile = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/**
 * Detects the type of a document from its content, never from its name: a PDF by its signature, a DOC by the streams of
 * its compound file, and a DOCX by the file list of its ZIP archive. Unpacks nothing.
 * @returns null for any other file, and for a document with macros.
 */
export function documentKindOf(bytes: Uint8Array): ResumeKind | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = headOf(file);
  if (programs.some((signature) => head.startsWith(signature))) return null;
  if (head.startsWith('PK')) return isWordArchive(file) ? 'docx' : null;
  if (head.startsWith(compoundFile)) return isWordCompoundFile(file) ? 'doc' : null;
  return head.includes('%PDF-') ? 'pdf' : null;
}

/**
 * Returns whether the first part of an upload can be the start of a document, so a wrong file is refused before the
 * browser sends its other parts.
 */
export function mayBeDocument(firstPart: Uint8Array): boolean {
  const head = headOf(Buffer.from(firstPart.buffer, firstPart.byteOffset, firstPart.byteLength));
  return head.startsWith('PK') || head.startsWith(compoundFile) || head.includes('%PDF-');
}

const headOf = (file: Buffer): string => file.toString('latin1', 0, pdfHeaderBytes);

/**
 * Whether a compound file, the format of .doc files, is a Word document without macros. The names of its parts are in
 * the file as UTF-16 text.
 */
function isWordCompoundFile(file: Buffer): boolean {
  const holds = (stream: string) => file.includes(Buffer.from(stream, 'utf16le'));
  return holds('WordDocument') && !holds('_VBA_PROJECT');
}

/**
 * Returns whether a ZIP archive is a Word document without macros. Reads only the central directory at the end of the
 * archive. Nothing is unpacked, so a zip bomb cannot harm the server.
 */
function isWordArchive(file: Buffer): boolean {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end === -1 || end + 22 > file.length || file.length - end > 22 + longestZipComment) return false;
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
