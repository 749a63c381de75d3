import * as z from 'zod/mini';
import { lineField } from './plain-text.ts';

/**
 * A serverless request holds 6 MB with binary counted as base64, so a larger file is sent in parts of so many bytes
 * and put together on the server (decisions, 'Uploads').
 */
export const partBytes = 4_000_000;

/** Largest file for each purpose, in bytes (spec §5, §9). */
export const uploadLimits = { resume: 5_242_880, media: 10_485_760, logo: 5_242_880 } as const;

export type UploadPurpose = keyof typeof uploadLimits;

/** Answer to `POST /api/uploads`, status 201. */
export const uploadOpened = z.object({
  id: z.string(),
  /** Bytes of every part but the last. */
  partSize: z.number(),
});

/** `POST /api/uploads` opens an upload. */
export const uploadInput = z
  .object({
    name: lineField('The file needs a name.', { max: 255 }),
    /** Bytes of the whole file. */
    size: z.int('The size is a whole number of bytes.').check(z.positive('The file is empty.')),
    type: z._default(z.string().check(z.maxLength(255)), ''),
    purpose: z.enum(['resume', 'media', 'logo'], 'The purpose is resume, media or logo.'),
  })
  .check(
    z.refine((upload) => upload.size <= uploadLimits[upload.purpose], { path: ['size'], message: 'File too large' }),
  );

export type UploadInput = z.infer<typeof uploadInput>;
