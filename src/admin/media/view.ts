import { sizeText } from '../../domain/file-size.ts';
import { type FormerFile, type MediaListQuery, type MediaRecord, isPicture, lastingUrl } from '../../domain/media.ts';
import { defaultPageSize } from '../../domain/paging.ts';
import { viewSearch } from '../ui/list-view.ts';
import type { PagePlace } from '../ui/paging.ts';

/** What of the library is shown. It stands in the address, so that reload, back and a copied link keep it. */
export interface MediaView extends PagePlace {
  readonly kind: MediaListQuery['kind'];
  readonly q: string;
  /** The id of the file that is open. */
  readonly file: string | undefined;
}

export const firstView: MediaView = { kind: 'all', q: '', page: 1, after: undefined, file: undefined };

/** Reads an address's query. What it does not understand counts as not said. */
export function viewOf(search: string): MediaView {
  const parameters = new URLSearchParams(search);
  const after = parameters.get('after') ?? undefined;
  const page = Number(parameters.get('page'));
  return {
    kind: parameters.get('kind') === 'pictures' ? 'pictures' : 'all',
    q: (parameters.get('q') ?? '').trim().slice(0, 200),
    page: after === undefined ? 1 : Number.isInteger(page) && page > 1 ? page : 2,
    after,
    file: parameters.get('file') ?? undefined,
  };
}

/** The address's query for a view. */
export const searchOf = (view: MediaView): string => viewSearch(view, firstView);

/** The list that a view shows, as the API is asked for it. */
export function listQueryOf({ kind, q, after }: Omit<MediaView, 'file' | 'page'>): MediaListQuery {
  return { kind, q, sort: '-createdAt', limit: defaultPageSize, cursor: after };
}

const resized = /^image\/(jpeg|png|webp|gif)$/;

/** A small picture of a file, from the image host; a drawing is small as it is. Null for what is no picture. */
export function thumbnailOf(file: Pick<MediaRecord, 'url' | 'version' | 'mimeType'>, width: 400 | 800): string | null {
  const url = lastingUrl(file);
  if (resized.test(file.mimeType)) return `/.netlify/images?${new URLSearchParams({ url, w: String(width), q: '85' })}`;
  return isPicture(file) ? url : null;
}

const kindNames: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/msword': 'DOC',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'text/plain': 'TXT',
  'image/svg+xml': 'SVG',
};

/** A type as people call it. */
export function kindName(mimeType: string): string {
  return kindNames[mimeType] ?? mimeType.replace('image/', '').toUpperCase();
}

/** How large a file is. */
export function sizesText({ size, width, height }: FormerFile): string {
  return sizeText(size) + (width === null ? '' : `, ${width} × ${height} pixels`);
}
