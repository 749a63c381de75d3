import type * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import { type MediaListQuery, mediaListQuery, mediaPage } from '../../domain/media.ts';
import { adminList } from '../lib/list.ts';

/** The media library: files, newest first. */
export const mediaList = adminList<Pick<MediaListQuery, 'kind'>, z.infer<typeof mediaPage>>({
  path: apiPaths.media,
  schema: mediaPage,
  key: ['media', 'list'],
  many: 'files',
  filters: { kind: mediaListQuery.shape.kind },
  openIn: 'file',
  totalOf: ({ total }, { kind }) => (kind === 'all' ? total : undefined),
});
