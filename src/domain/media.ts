import * as z from 'zod/mini';
import { listQuery, pageOf } from './paging.ts';
import { lineField } from './plain-text.ts';

/** What a file picker offers (spec §2, Media Library tab); what a file really is, the server decides by its content. */
export const mediaAccept = 'image/*,.pdf,.doc,.docx,.txt';

/** A file of the media library (spec §3). */
export const mediaRecord = z.object({
  id: z.string(),
  /** A path of this site; the file stands there unchanged for good. */
  url: z.string(),
  originalName: z.string(),
  mimeType: z.string(),
  /** Bytes as stored: without the picture's hidden data, so possibly fewer than were sent. */
  size: z.int(),
  /** ISO 8601, UTC. */
  uploadedAt: z.string(),
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

/** `GET /api/cms/media/{id}`: the file, and where it is used. */
export const mediaDetail = z.object({ data: mediaRecord, usedIn: z.array(mediaUse) });

/** `POST /api/cms/media`, `PUT /api/cms/media/{id}` and `POST /api/cms/media/{id}/restore`. */
export const mediaAnswer = z.object({ data: mediaRecord });

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
