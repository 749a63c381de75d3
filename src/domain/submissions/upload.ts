import * as z from 'zod/mini';
import { textField } from '../text/plain-text.ts';

/**
 * Size in bytes of each part of a large file. Netlify limits a request to 6 MB, with binary data counted as base64, so
 * larger files are sent in parts that the server joins (docs/product.md#uploads).
 */
export const partBytes = 4_000_000;

/** Maximum length of a file's name, in characters. */
export const longestFileName = 255;

/** Maximum size of a file for each purpose, in bytes. */
export const uploadLimits = { resume: 5_242_880, media: 10_485_760, logo: 5_242_880 } as const;

export type UploadPurpose = keyof typeof uploadLimits;

/** Returns the maximum size of a file for a purpose, in MB. */
export const megabytesFor = (purpose: UploadPurpose): number => uploadLimits[purpose] / 1024 / 1024;

/** How the error message for a file that is larger than its purpose allows begins. */
export const tooLargeFile = 'File too large';

export const tooLargeFor = (purpose: UploadPurpose): string =>
  `${tooLargeFile}. The limit is ${megabytesFor(purpose)} MB.`;

/**
 * Maximum size of an SVG file, in MB. A typical logo or chart has a hundredth of this size. A larger drawing loads faster
 * as a PNG.
 */
export const svgMegabytes = 2;

/** Response of `POST /api/uploads`, status 201. */
export const uploadOpened = z.object({
  id: z.string(),
  /** Size in bytes of every part except the last. */
  partSize: z.number(),
});

/** Request body of `POST /api/uploads`, which starts an upload. */
export const uploadInput = /* @__PURE__ */ z
  .object({
    name: textField('line', 'The file needs a name.', { max: longestFileName }),
    /** Size of the complete file in bytes. */
    size: /* @__PURE__ */ z.int('The size must be a whole number of bytes.').check(z.positive('The file is empty.')),
    type: z._default(/* @__PURE__ */ z.string().check(z.maxLength(255)), ''),
    purpose: z.enum(['resume', 'media', 'logo'], 'The purpose must be resume, media or logo.'),
  })
  .check(
    z.refine((upload) => upload.size <= uploadLimits[upload.purpose], {
      path: ['size'],
      error: ({ input }) => tooLargeFor((input as { purpose: UploadPurpose }).purpose),
    }),
  );

export type UploadInput = z.infer<typeof uploadInput>;
