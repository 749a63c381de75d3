import type { ResumeKind } from '../../src/domain/application.ts';

/** The types under which resumes are handed out. */
export const resumeTypes: Readonly<Record<ResumeKind, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** Readers of PDF look for its signature so far into a file. */
const pdfHeaderBytes = 1024;
const programs = ['MZ', '\x7fELF', '#!', '\xca\xfe\xba\xbe', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe'];
const compoundFile = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
/** Streams by which other programs' compound files are known: Excel, PowerPoint, Outlook. */
const foreignStreams = ['Workbook', 'PowerPoint Document', '__substg1.0_'];

/** What a Word document may hold at most when it is unpacked; more is a trap for whoever opens it. */
const unpackedBytes = 250 * 1024 * 1024;
const longestComment = 65_535;

/**
 * What a resume is, by its content and never by its name: PDF by its signature, an older Word document as a compound file,
 * a newer one as an archive that holds one. Nothing is unpacked. Documents with macros are none of them.
 * @returns null for everything else.
 */
export function resumeKindOf(bytes: Uint8Array): ResumeKind | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = file.toString('latin1', 0, pdfHeaderBytes);
  if (programs.some((signature) => head.startsWith(signature))) return null;
  if (head.startsWith('PK')) return isWordArchive(file) ? 'docx' : null;
  if (head.startsWith(compoundFile)) return isForeignCompoundFile(file) ? null : 'doc';
  return head.includes('%PDF-') ? 'pdf' : null;
}

function isForeignCompoundFile(file: Buffer): boolean {
  const holds = (stream: string) => file.includes(Buffer.from(stream, 'utf16le'));
  return !holds('WordDocument') && foreignStreams.some(holds);
}

/** Reads the archive's own list of what it holds, which stands at its end. */
function isWordArchive(file: Buffer): boolean {
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
  return document && !macros && unpacked <= unpackedBytes;
}
