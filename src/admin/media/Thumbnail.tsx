import { useState } from 'react';
import { type MediaRecord, isPicture, lastingUrl } from '../../domain/site/media.ts';
import { sizeText } from '../../domain/text/text.ts';
import { resizedUrl } from '../../lib/pictures.ts';
import { copyText } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';

/** The types that the image resizing service reads. An SVG file keeps its own URL. */
const resizable = /^image\/(jpeg|png|webp|gif)$/;

/** The frame of a thumbnail, and of an image, with a checkerboard behind its transparent parts, in light colors in both schemes. */
export const frame = 'grid place-items-center overflow-hidden aspect-4/3 rule-rule';
export const pictureFrame = `${frame} grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] bg-raised [&>img]:max-h-full [&>img]:max-w-full [&>img]:[background:repeating-conic-gradient(white_0_25%,whitesmoke_0_50%)_0_0/16px_16px]`;

interface ThumbnailProps {
  file: MediaRecord;
  width?: 400 | 800;
  /** The text alternative. Empty if the text next to the thumbnail says the same. */
  alt?: string;
}

/** A small version of an image. Other files show an icon and their type. */
export function Thumbnail({ file, width = 400, alt = '' }: ThumbnailProps) {
  // A self-hosted server may have no image resizing service. The thumbnail then falls back to the full image.
  const [resizes, setResizes] = useState(resizable.test(file.mimeType));
  const url = lastingUrl(file);
  if (!isPicture(file)) return <KindThumbnail kind={kindName(file.mimeType)} />;
  return (
    <span className={pictureFrame}>
      <img
        src={resizes ? resizedUrl(url, width) : url}
        alt={alt}
        loading="lazy"
        decoding="async"
        onError={() => setResizes(false)}
      />
    </span>
  );
}

/** An icon and a file type, for a file that is not an image. */
export function KindThumbnail({ kind }: { kind: string }) {
  return (
    <span
      className={`${frame} content-center gap-2 bg-raised text-ink-soft semibold [&>svg]:size-8`}
      aria-hidden="true"
    >
      <Icon name="file" />
      {kind}
    </span>
  );
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
  void copyText({
    text: new URL(url, window.location.origin).href,
    what: 'URL',
    title: 'URL copied to clipboard!',
  });
}
