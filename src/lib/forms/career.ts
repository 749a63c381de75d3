import * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type ApplicationInput,
  applicationFields,
  applicationOutcome,
  resumeEndings,
  resumeRefusals,
} from '../../domain/submissions/application.ts';
import { megabytesFor, uploadLimits } from '../../domain/submissions/upload.ts';
import { identify, nameParts, trackEvent } from '../consent/analytics.ts';
import { sendFile } from '../request/uploads.ts';
import type { FormDefinition } from './definition.ts';

const wrongType = { title: 'Invalid file type', description: 'Please upload a PDF, DOC, or DOCX file.' };
const limit = `${megabytesFor('resume')}MB`;
const tooLarge = { title: 'File too large', description: `Please upload a file smaller than ${limit}.` };

/** Pairs of a server's error message and the text to show to the applicant (docs/product.md#fixed-texts). */
const described: readonly (readonly [string, string])[] = [
  [resumeRefusals.type, 'Please upload a PDF, DOC, or DOCX file for your resume.'],
  [resumeRefusals.size, `Please upload a resume file smaller than ${limit}.`],
  [resumeRefusals.missing, 'Please select a resume file to upload.'],
];

/** Schema of the response. Only `success` is required. */
const answer = z.object({
  success: z.boolean(),
  emailSent: z._default(z.boolean(), false),
  message: z._default(z.string(), ''),
  reference: z.optional(z.string()),
});

/** The career form (docs/product.md#career-form). */
export const careerForm: FormDefinition = {
  fields: applicationFields,
  file: {
    field: 'resume',
    missing: { title: 'Resume required', description: 'Please upload your resume to continue.' },
    // The browser checks only the file's name and size. The server checks the content.
    refuse: ({ name, size }) => {
      if (!resumeEndings.some((ending) => name.toLowerCase().endsWith(ending))) return wrongType;
      return size > uploadLimits.resume ? tooLarge : undefined;
    },
  },
  send: async (fields, file, { key, onProgress }) => {
    if (!file) throw new TypeError('An application is sent with its resume.');
    const { success, emailSent, message, reference } = await sendFile(file, {
      purpose: 'resume',
      url: apiPaths.careerApplication,
      field: 'resume',
      fields,
      schema: answer,
      key,
      onProgress,
      // Fewer retries than the default, so an offline visitor is notified soon. The form resumes the upload when the
      // browser is online again.
      retries: 2,
    });
    if (!success) throw new Error(message || 'Submission failed');
    return { reference, outcome: applicationOutcome(emailSent) };
  },
  analytics: {
    sent: (values) => {
      const { fullName, email, phone, position, experience, coverLetter } = values as Required<ApplicationInput>;
      identify({
        email,
        ...nameParts(fullName),
        phone,
        position_interest: position,
        years_experience: experience,
        cover_letter: coverLetter,
      });
      trackEvent('career_application_submission', { position });
    },
    failed: () => trackEvent('career_application_error', { error: 'submission_failed' }),
  },
  variants: {
    page: {
      incomplete: {
        title: 'Required fields missing',
        description: 'Please fill in your full name and email address.',
      },
      success: { title: 'Application submitted successfully!', description: '' },
      failure: {
        title: 'Submission failed',
        description: 'There was an error submitting your application. Please try again.',
      },
      describesError: false,
      describe: (words) => described.find(([part]) => words.includes(part))?.[1],
    },
  },
};
