import type { ResumeKind } from '../../src/domain/application.ts';
import { isWordArchive } from './files/word-archive.ts';

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
