import type { ApplicationInput } from '../../../src/domain/submissions/application.ts';
import { aPdf } from './files.ts';

/** Returns the fields of an application as a person would send it, without the resume. */
export function anApplication(changes: Partial<Record<keyof ApplicationInput, string>> = {}) {
  return {
    fullName: 'Mara Quill',
    email: 'mara@quill.example',
    phone: '(562) 555-0188',
    position: 'NetSuite Developer',
    experience: '4-5',
    coverLetter: 'I have written SuiteScript for five years and would like to do it in Torrance.',
    ...changes,
  };
}

export const resumeFile = (bytes: Uint8Array<ArrayBuffer> = aPdf(), name = 'Mara Quill.pdf') =>
  new File([bytes], name, { type: 'application/octet-stream' });
