import * as z from 'zod/mini';
import { type Field, fieldSchema } from '../field.ts';
import { listQuery, pageOf } from '../text/paging.ts';

/**
 * File types for the file picker (docs/product.md#media-library). The server detects the real type from the content.
 */
export const mediaAccept = 'image/*,.pdf,.doc,.docx,.txt';

/** The limit for any image except a JPEG. More pixels could exhaust the memory of a phone or of the image server. */
export const mostPixels = 24_000_000;
/** The limit for a JPEG, which is resized while it is decoded. Photos from phones with 50 megapixels are accepted. */
export const mostPixelsOfJpeg = 64_500_000;

export const mediaRecord = z.object({
  id: z.string(),
  /** Path on this site. Replacing the file does not change the path. */
  url: z.string(),
  /** Identifies the content. Replacing the file changes the version. */
  version: z.string(),
  originalName: z.string(),
  mimeType: z.string(),
  /** Size of the stored file in bytes. The server removes metadata from images, so an upload may have been larger. */
  size: z.int(),
  /** ISO 8601, UTC, like every time in this record. */
  uploadedAt: z.string(),
  /** When the file was last replaced; null if it was never replaced. */
  replacedAt: z.nullable(z.string()),
  /**
   * Width and height in pixels, as displayed. Null for a file that is not an image, and for an SVG file that states no
   * size.
   */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** Alternative text. An empty string means that nobody has written a text yet, unless `decorative` is true. */
  alt: z.string(),
  /** True for an image that needs no alternative text. */
  decorative: z.boolean(),
});

export type MediaRecord = z.infer<typeof mediaRecord>;

/** A post, an editable section of a page, or a draft that shows the file or links to the file. */
const mediaUse = z.object({
  kind: z.enum(['post', 'section', 'draft']),
  id: z.string(),
  /** Title of the post, section or draft in the admin. */
  title: z.string(),
});

export type MediaUse = z.infer<typeof mediaUse>;

/** Response of `GET /api/cms/media/{id}`: the file and its uses. */
export const mediaDetail = z.object({ data: mediaRecord, usedIn: z.array(mediaUse) });

/** Response with one file, after uploading, describing, replacing or restoring it. */
export const mediaAnswer = z.object({ data: mediaRecord });

/**
 * Fields of `POST /api/cms/media/{id}/replace` (in addition to the file) and `POST /api/cms/media/{id}/replace/undo`.
 * `version` is the version that the admin saw. The server rejects the request if the stored file has another
 * version. Without `version`, the server does not compare versions.
 */
export const mediaReplacement = z.object({ version: z.optional(z.string('The version must be text.')) });

/** Response of `DELETE /api/cms/media/{id}`. `usedIn` lists the posts, sections and drafts that now lack the file. */
export const mediaRemoval = z.object({ success: z.literal(true), usedIn: z.array(mediaUse) });

/** Query of `GET /api/cms/media`. `q` searches names and descriptions. */
export const mediaListQuery = z.extend(listQuery, {
  kind: z._default(z.enum(['all', 'pictures'], 'The kind must be one of these: all, pictures.'), 'all'),
});

export type MediaListQuery = z.infer<typeof mediaListQuery>;

export const mediaPage = z.extend(pageOf(mediaRecord), {
  /** Number of files in the library, regardless of the search. */
  total: z.int(),
});

/** The form field for the alternative text of an image. */
export const altField = {
  label: 'Description',
  kind: 'line',
  min: 0,
  max: 300,
  rows: 3,
  message: 'Describe the picture, or mark it as decorative.',
} as const satisfies Field;

export const decorativeLabel = 'Decorative: the picture adds no information';

/** Request body of `PUT /api/cms/media/{id}`. */
export const mediaInput = /* @__PURE__ */ z
  .object({
    alt: fieldSchema(altField),
    decorative: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ alt, decorative }) => decorative || alt !== '', {
      path: ['alt'],
      message: altField.message,
    }),
  );

export type MediaInput = z.infer<typeof mediaInput>;

export const isPicture = ({ mimeType }: Pick<MediaRecord, 'mimeType'>): boolean => mimeType.startsWith('image/');

/** Returns true for an image that needs an alternative text and has none. */
export const lacksAlt = (file: MediaRecord): boolean => isPicture(file) && !file.decorative && file.alt === '';

/** Returns a URL that changes when the file is replaced, so caches may store the file permanently. */
export const lastingUrl = ({ url, version }: Pick<MediaRecord, 'url' | 'version'>): string => `${url}?v=${version}`;

/** Returns the extension of a file name or URL, such as `.pdf`. */
export const endingOf = (name: string): string => name.slice(name.lastIndexOf('.'));
