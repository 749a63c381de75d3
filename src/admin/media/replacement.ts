import { type MediaRecord, isPicture } from '../../domain/media.ts';
import { uploadLimits } from '../../domain/upload.ts';
import { kindName } from './view.ts';

/** What a file picker offers in place of a file. */
export const acceptFor = ({ mimeType, url }: Pick<MediaRecord, 'mimeType' | 'url'>): string =>
  `${mimeType},${endingOf(url)}`;

/**
 * Why a chosen file cannot take the place of another one, for the person who chose it; undefined where nothing speaks
 * against it. The server decides by the content, and the browser knows for sure only what a picture is.
 */
export function replacementProblem(
  chosen: Pick<File, 'name' | 'type' | 'size'>,
  file: MediaRecord,
): string | undefined {
  if (chosen.size > uploadLimits.media) return `${chosen.name} is larger than 10MB`;
  if (chosen.type === file.mimeType || !isPicture({ mimeType: chosen.type })) return undefined;
  return `${chosen.name} is ${kindName(chosen.type)}. The address ends in ${endingOf(file.url)}: choose a ${endingOf(file.url)} file.`;
}

export const endingOf = (address: string): string => address.slice(address.lastIndexOf('.'));
