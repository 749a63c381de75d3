import { sizeText } from '../../domain/file-size.ts';
import { type MediaRecord, isPicture, lastingUrl } from '../../domain/media.ts';
import { resizedUrl } from '../../lib/pictures.ts';
import { copyText } from '../ui/CopyButton.tsx';

const resized = /^image\/(jpeg|png|webp|gif)$/;

/**
 * Returns a thumbnail's URL at the image resizing service. SVG files keep their own URL. Returns null for files that
 * are not images.
 */
export function thumbnailOf(file: Pick<MediaRecord, 'url' | 'version' | 'mimeType'>, width: 400 | 800): string | null {
  const url = lastingUrl(file);
  if (resized.test(file.mimeType)) return resizedUrl(url, width);
  return isPicture(file) ? url : null;
}

const kindNames: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/msword': 'DOC',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'text/plain': 'TXT',
  'image/svg+xml': 'SVG',
};

/** Returns the common name of a MIME type, such as `PDF`. */
export function kindName(mimeType: string): string {
  return kindNames[mimeType] ?? mimeType.replace('image/', '').toUpperCase();
}

/** Formats the size of a file and, for an image, its width and height. */
export function sizesText({ size, width, height }: Pick<MediaRecord, 'size' | 'width' | 'height'>): string {
  return sizeText(size) + (width === null ? '' : `, ${width} × ${height} pixels`);
}

/** Copies a file's absolute URL, for use in emails and on other sites, and shows a toast. */
export function copyUrl({ url }: Pick<MediaRecord, 'url'>): void {
  void copyText(new URL(url, window.location.origin).href, 'URL', 'URL copied to clipboard!');
}
