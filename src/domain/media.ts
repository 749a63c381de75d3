import * as z from 'zod/mini';
import { listQuery, pageOf } from './paging.ts';
import { lineField } from './plain-text.ts';

/** What a file picker offers (spec §2, Media Library tab); what a file really is, the server decides by its content. */
export const mediaAccept = 'image/*,.pdf,.doc,.docx,.txt';

/** So long a deleted file, and one that was replaced, can be had back. */
export const formerFilesKeptDays = 30;

/** A file of the media library (spec §3). */
export const mediaRecord = z.object({
  id: z.string(),
  /** A path of this site, which stays when the file is replaced. */
  url: z.string(),
  /** Names the bytes: another one after a replacement. */
  version: z.string(),
  originalName: z.string(),
  mimeType: z.string(),
  /** Bytes as stored: without the picture's hidden data, so possibly fewer than were sent. */
  size: z.int(),
  /** ISO 8601, UTC, as all times. */
  uploadedAt: z.string(),
  /** When the file took the place of another one; null for one that never did. */
  replacedAt: z.nullable(z.string()),
  /** Pixels as shown; null for what is no picture, or has no size of its own. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** What the picture shows, for those who cannot see it. Empty: not written yet, unless `decorative`. */
  alt: z.string(),
  /** The picture says nothing that the text beside it does not. */
  decorative: z.boolean(),
});

export type MediaRecord = z.infer<typeof mediaRecord>;

/** A place that shows or links a file: of the site, or a post somebody is writing. */
export const mediaUse = z.object({
  kind: z.enum(['post', 'section', 'draft']),
  id: z.string(),
  /** As an admin knows the place. */
  title: z.string(),
});

export type MediaUse = z.infer<typeof mediaUse>;

/** `GET /api/cms/media/{id}`: the file, where it is used, and the one that stood at its address before, while that is kept. */
export const mediaDetail = z.object({
  data: mediaRecord,
  usedIn: z.array(mediaUse),
  former: z.nullable(z.pick(mediaRecord, { size: true, width: true, height: true })),
});

export type FormerFile = NonNullable<z.infer<typeof mediaDetail>['former']>;

/** What is answered with one file: adding, describing, replacing and restoring. */
export const mediaAnswer = z.object({ data: mediaRecord });

/**
 * `POST /api/cms/media/{id}/replace`, beside the file, and `POST /api/cms/media/{id}/replace/undo`: the version that the
 * admin saw. Another one on the server refuses the call; without it the last call wins.
 */
export const mediaReplacement = z.object({ version: z.optional(z.string('The version is a text.')) });

/** `DELETE /api/cms/media/{id}`: the places that lack the file from now on. */
export const mediaRemoval = z.object({ success: z.literal(true), usedIn: z.array(mediaUse) });

/** `GET /api/cms/media`, searched by name and description. */
export const mediaListQuery = z.extend(listQuery, {
  kind: z._default(z.enum(['all', 'pictures'], 'The kind is all or pictures.'), 'all'),
});

export type MediaListQuery = z.infer<typeof mediaListQuery>;

export const mediaPage = z.extend(pageOf(mediaRecord), {
  /** Files in the library, whatever the search. */
  total: z.int(),
});

/** `PUT /api/cms/media/{id}`. */
export const mediaInput = z
  .object({
    alt: lineField('', { min: 0, max: 300 }),
    decorative: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ alt, decorative }) => decorative || alt !== '', {
      path: ['alt'],
      message: 'Describe the picture, or mark it as decorative.',
    }),
  );

export type MediaInput = z.infer<typeof mediaInput>;

export const isPicture = ({ mimeType }: Pick<MediaRecord, 'mimeType'>): boolean => mimeType.startsWith('image/');

/** A picture without a description that needs one. */
export const lacksAlt = (file: MediaRecord): boolean => isPicture(file) && !file.decorative && file.alt === '';

/** The address under which these very bytes may be kept for good; after a replacement it is another one. */
export const lastingUrl = ({ url, version }: Pick<MediaRecord, 'url' | 'version'>): string => `${url}?v=${version}`;
