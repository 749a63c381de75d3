import * as z from 'zod/mini';

/**
 * Public path of the logo (docs/product.md#logo). The server returns the uploaded logo, or the default logo if none is
 * uploaded.
 */
export const logoUrl = '/uploads/logo';

/** Public path of the default logo, which is part of the build. */
export const defaultLogoPath = '/uploads/logo.svg';

/** Accepted MIME types of a logo (docs/product.md#logo). Some programs send `image/jpg` for a JPEG. */
export const logoTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/jpg',
  'image/png',
  'image/gif',
  'image/svg+xml',
  'image/webp',
]);

const logoRecord = z.object({
  logoUrl: z.string(),
  logoFileName: z.string(),
  /** ISO 8601, UTC; null for the default logo. */
  updatedAt: z.nullable(z.string()),
  /** False for the default logo. */
  uploaded: z.boolean(),
});

export type LogoRecord = z.infer<typeof logoRecord>;

/** Response of `GET /api/settings`. */
export const settingsAnswer = z.object({ data: logoRecord });

/** Response of `GET /api/settings/logo`, for admins. Also names the previous logo, which an admin can restore. */
export const logoDetail = z.object({
  data: logoRecord,
  /** The previous logo; null if the logo was never changed. */
  previous: z.nullable(z.object({ version: z.int(), logoFileName: z.string() })),
});

export type LogoDetail = z.infer<typeof logoDetail>;

/** Request body of `POST /api/settings/logo/restore`. It names the logo, because the request may be sent twice. */
export const logoRestoration = z.object({ version: z.int('The version must be a whole number.') });

/** Response of `POST /api/settings/logo`. */
export const logoReceipt = z.extend(logoDetail, { success: z.literal(true), message: z.string() });
