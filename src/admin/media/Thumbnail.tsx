import { useState } from 'react';
import { type MediaRecord, lastingUrl } from '../../domain/media.ts';
import { Icon } from '../ui/Icon.tsx';
import { kindName, thumbnailOf } from './view.ts';

interface ThumbnailProps {
  file: MediaRecord;
  width?: 400 | 800;
  /** The text alternative. Empty if the text next to the thumbnail says the same. */
  alt?: string;
}

/** A small version of an image. Other files show an icon and their type. */
export function Thumbnail({ file, width = 400, alt = '' }: ThumbnailProps) {
  // A self-hosted server may have no image resizing service. The thumbnail then falls back to the full image.
  const [resizes, setResizes] = useState(true);
  const small = thumbnailOf(file, width);
  if (small === null) {
    return (
      <span className="thumbnail thumbnail-kind" aria-hidden="true">
        <Icon name="file" />
        {kindName(file.mimeType)}
      </span>
    );
  }
  return (
    <span className="thumbnail">
      <img
        src={resizes ? small : lastingUrl(file)}
        alt={alt}
        loading="lazy"
        decoding="async"
        onError={() => setResizes(false)}
      />
    </span>
  );
}
