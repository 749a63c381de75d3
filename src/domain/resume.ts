/** File extensions of resumes, for the file picker and its hint. */
export const resumeEndings = ['.pdf', '.doc', '.docx'] as const;

/** Error messages of the server for a rejected resume. The form uses them as keys to choose its own messages. */
export const resumeRefusals = {
  missing: 'Resume file is required',
  type: 'Only PDF and DOC/DOCX files are allowed',
  size: 'File too large',
} as const;
