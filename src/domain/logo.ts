import * as z from 'zod/mini';

/** The public address of the logo (decisions, 'Uploads'): the uploaded one when there is one, else the bundled one. */
export const logoUrl = '/uploads/logo';

/** The bundled logo's own address. */
export const defaultLogoPath = '/uploads/logo.svg';

/** What a logo may be (spec §5); `image/jpg` is what some programs call a JPEG. */
export const logoTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/jpg',
  'image/png',
  'image/gif',
  'image/svg+xml',
  'image/webp',
]);

/** The logo record (spec §3). */
const logoRecord = z.object({
  logoUrl: z.string(),
  logoFileName: z.string(),
  /** ISO 8601, UTC; null for the logo that comes with the site. */
  updatedAt: z.nullable(z.string()),
  /** False for the logo that comes with the site. */
  uploaded: z.boolean(),
});

export type LogoRecord = z.infer<typeof logoRecord>;

/** `GET /api/settings`. */
export const settingsAnswer = z.object({ data: logoRecord });

/** `GET /api/settings/logo`, for the admin: also the one that can be had back. */
export const logoDetail = z.object({
  data: logoRecord,
  /** The file name of the logo before this one; null where there was none. */
  previous: z.nullable(z.string()),
});

export type LogoDetail = z.infer<typeof logoDetail>;

/** Answer to `POST /api/settings/logo`. */
export const logoReceipt = z.extend(logoDetail, { success: z.literal(true), message: z.string() });
