import { tooLargeFile } from './upload.ts';

export const resumeKinds = ['pdf', 'doc', 'docx'] as const;

/** File extensions of resumes, for the file picker. */
export const resumeEndings = resumeKinds.map((kind) => `.${kind}`);

/** Error messages of the server for a rejected resume. The form uses them as keys to choose its own messages. */
export const resumeRefusals = {
  missing: 'Resume file is required',
  type: 'Only PDF and DOC/DOCX files are allowed',
  size: tooLargeFile,
} as const;
