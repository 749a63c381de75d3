import { type MediaRecord, endingOf, isPicture } from '../../domain/media.ts';
import { megabytesFor, uploadLimits } from '../../domain/upload.ts';
import { kindName } from './view.ts';

/** Returns the `accept` value for the file picker of a replacement. */
export const acceptFor = ({ mimeType, url }: Pick<MediaRecord, 'mimeType' | 'url'>): string =>
  `${mimeType},${endingOf(url)}`;

/**
 * Returns why a file cannot replace another file, as a message for the admin; undefined if no problem is known. The
 * browser reliably recognizes only image types, so the server checks the content of all other files.
 */
export function replacementProblem(
  chosen: Pick<File, 'name' | 'type' | 'size'>,
  file: MediaRecord,
): string | undefined {
  if (chosen.size > uploadLimits.media) return `${chosen.name} is larger than ${megabytesFor('media')}MB`;
  if (chosen.type === file.mimeType || !isPicture({ mimeType: chosen.type })) return undefined;
  return `${chosen.name} is a ${kindName(chosen.type)} file. The URL stays the same and ends in ${endingOf(file.url)}, so choose a ${endingOf(file.url)} file.`;
}
