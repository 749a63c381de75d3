import { useState } from 'react';
import { type MediaRecord, isPicture, lastingUrl } from '../../domain/media.ts';
import { resizedUrl } from '../../lib/pictures.ts';
import { Icon } from '../ui/Icon.tsx';
import { kindName } from './view.ts';

/** The types that the image resizing service reads. An SVG file keeps its own URL. */
const resizable = /^image\/(jpeg|png|webp|gif)$/;

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
    <span className="thumbnail">
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
    <span className="thumbnail thumbnail-kind" aria-hidden="true">
      <Icon name="file" />
      {kind}
    </span>
  );
}
