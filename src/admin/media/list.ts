import type * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import { type MediaListQuery, mediaListQuery, mediaPage } from '../../domain/site/media.ts';
import { adminList } from '../lists/list.ts';

/** The first part of the key of every query of the library. */
export const mediaKey = ['media'] as const;

/** The media library: files, newest first. */
export const mediaList = adminList<Pick<MediaListQuery, 'kind'>, z.infer<typeof mediaPage>>({
  path: apiPaths.media,
  schema: mediaPage,
  key: [...mediaKey, 'list'],
  many: 'files',
  filters: { kind: mediaListQuery.shape.kind },
  inUrl: { tab: 'media' },
  openIn: 'file',
  totalOf: ({ total }, { kind }) => (kind === 'all' ? total : undefined),
});
