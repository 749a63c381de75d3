import { apiPaths } from '../../domain/api-paths.ts';
import { mediaListQuery, mediaPage } from '../../domain/site/media.ts';
import { adminList } from '../lists/list.ts';

/** The first part of the key of every query of the library. */
export const mediaKey = ['media'] as const;

/** The media library: files, newest first. */
export const mediaList = adminList({
  path: apiPaths.media,
  schema: mediaPage,
  key: [...mediaKey, 'list'],
  many: 'files',
  filters: { kind: mediaListQuery.shape.kind },
  inUrl: { tab: 'media' },
  openIn: 'file',
  totalOf: ({ total }, { kind }) => (kind === 'all' ? total : undefined),
});
