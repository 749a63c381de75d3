import { useState } from 'react';
import { type MediaRecord, lastingUrl } from '../../domain/media.ts';
import { Icon } from '../ui/Icon.tsx';
import { kindName, thumbnailOf } from './view.ts';

interface ThumbnailProps {
  file: MediaRecord;
  width?: 400 | 800;
  /** What the picture shows, where nothing beside it says so. */
  alt?: string;
}

/** A small picture of a file, or its type where it is no picture. */
export function Thumbnail({ file, width = 400, alt = '' }: ThumbnailProps) {
  // A host without an image service still has the file itself.
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
