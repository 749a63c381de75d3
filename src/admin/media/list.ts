import { apiPaths } from '../../domain/api-paths.ts';
import { type MediaListQuery, type MediaRecord, mediaListQuery, mediaPage } from '../../domain/media.ts';
import { defaultPageSize } from '../../domain/paging.ts';
import { type ListView, listUrl } from '../lib/list-url.ts';
import type { AdminList, PagedList } from '../lib/paged-list.ts';
import type * as z from 'zod/mini';

interface MediaFilters {
  readonly kind: MediaListQuery['kind'];
}

export const mediaUrl = listUrl<MediaFilters>({ filters: { kind: mediaListQuery.shape.kind }, open: 'file' });

/** Returns the API query for a page of the library. */
function mediaQuery({ kind, q, after }: Pick<ListView<MediaFilters>, 'kind' | 'q' | 'after'>): MediaListQuery {
  return { kind, q, sort: '-createdAt', limit: defaultPageSize, cursor: after };
}

export const mediaPages: PagedList<Partial<MediaListQuery>, MediaRecord, number> = {
  path: apiPaths.media,
  schema: mediaPage,
  key: ['media', 'list'],
  countsKey: ['media', 'count'],
  countsOf: ({ total }: z.infer<typeof mediaPage>) => total,
  // The first page of the library, so one request fetches the number of files and the files that the tab shows.
  countsQuery: mediaQuery(mediaUrl.read('')),
};

/** The media library: files, newest first. */
export const mediaList: AdminList<MediaFilters, Partial<MediaListQuery>, MediaRecord, number> = {
  url: mediaUrl,
  pages: () => mediaPages,
  queryOf: mediaQuery,
  totalOf: (total, { kind }) => (kind === 'all' ? total : undefined),
  many: () => 'files',
};

/** Explains why a later page of the library can be empty. */
export const pageMoved = 'The files on this page were deleted.';
/** Says which fields a search covers. */
export const noSearchMatch = 'We looked for files with every word of your search in the file name or description.';
