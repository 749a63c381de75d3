import { sizeText } from '../../domain/text.ts';
import type { MediaRecord } from '../../domain/media.ts';
import { copyText } from '../ui/Button.tsx';

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
