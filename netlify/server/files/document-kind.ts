import type { ResumeKind } from '../../../src/domain/application.ts';
import { isWordArchive } from './word-archive.ts';

/** The media types for the `Content-Type` of served documents, by file type. */
export const documentTypes: Readonly<Record<ResumeKind, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** The signature of a PDF must be within this many bytes of the start. PDF readers use the same limit. */
const pdfHeaderBytes = 1024;
const programs = ['MZ', '\x7fELF', '#!', '\xca\xfe\xba\xbe', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe'];
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
