import type { ResumeKind } from '../../../src/domain/application.ts';
import { isWordArchive } from './word-archive.ts';

/** The types under which documents are handed out. */
export const documentTypes: Readonly<Record<ResumeKind, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** Readers of PDF look for its signature so far into a file. */
const pdfHeaderBytes = 1024;
const programs = ['MZ', '\x7fELF', '#!', '\xca\xfe\xba\xbe', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe'];
const compoundFile = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/**
 * What a document is, by its content and never by its name: PDF by its signature, an older Word document as a compound file
 * that holds one, a newer one as an archive that does. Nothing is unpacked. Documents with macros are none of them.
 * @returns null for everything else.
 */
export function documentKindOf(bytes: Uint8Array): ResumeKind | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = headOf(file);
  if (programs.some((signature) => head.startsWith(signature))) return null;
  if (head.startsWith('PK')) return isWordArchive(file) ? 'docx' : null;
  if (head.startsWith(compoundFile)) return isWordCompoundFile(file) ? 'doc' : null;
  return head.includes('%PDF-') ? 'pdf' : null;
}

/** Whether a file may be a document, by its first part: not enough to take it, but enough to refuse the rest of it. */
export function mayBeDocument(firstPart: Uint8Array): boolean {
  const head = headOf(Buffer.from(firstPart.buffer, firstPart.byteOffset, firstPart.byteLength));
  return head.startsWith('PK') || head.startsWith(compoundFile) || head.includes('%PDF-');
}

const headOf = (file: Buffer): string => file.toString('latin1', 0, pdfHeaderBytes);

/** A compound file names the streams that it holds in its directory. */
function isWordCompoundFile(file: Buffer): boolean {
  const holds = (stream: string) => file.includes(Buffer.from(stream, 'utf16le'));
  return holds('WordDocument') && !holds('_VBA_PROJECT');
}
