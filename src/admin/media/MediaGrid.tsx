import type { MouseEvent } from 'react';
import { sizeText } from '../../domain/file-size.ts';
import { type MediaRecord, lacksAlt } from '../../domain/media.ts';
import { IconButton } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { opensElsewhere } from '../lib/location.ts';
import { useShownRows } from '../lib/shown-rows.ts';
import type { ShownList } from '../lib/use-list.ts';
import { Thumbnail } from './Thumbnail.tsx';
import { copyUrl } from './copy-url.ts';
import { mediaUrl } from './list.ts';
import { kindName } from './view.ts';

/** One line of cards in a wide window, because a card takes twice as long to render as a row of a list. */
const firstCards = 6;

interface MediaGridProps {
  list: ShownList<MediaRecord>;
  onDelete: (file: MediaRecord) => void;
}

/** The files as cards in a grid. */
export function MediaGrid({ list: { view, rows, outdated, hrefOf }, onDelete }: MediaGridProps) {
  const shownRows = useShownRows(firstCards);
  return (
    <ul className="media-grid" aria-label="Files" aria-busy={outdated}>
      {rows.slice(0, shownRows).map((file) => (
        <MediaCard
          key={file.id}
          file={file}
          href={hrefOf(file.id)}
          open={view.open === file.id}
          onDelete={() => onDelete(file)}
        />
      ))}
    </ul>
  );
}

interface MediaCardProps {
  file: MediaRecord;
  href: string;
  open: boolean;
  onDelete: () => void;
}

function MediaCard({ file, href, open, onDelete }: MediaCardProps) {
  const onClick = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    mediaUrl.open(file.id);
  };
  return (
    <li className="media-card" data-open={open || undefined}>
      <a className="media-open" href={href} aria-current={open || undefined} onClick={onClick}>
        <Thumbnail file={file} />
        <span className="min-h-[1.45em] truncate" title={file.originalName}>
          {file.originalName}
        </span>
      </a>
      <p className="figures flex flex-wrap gap-x-3 text-xs text-ink-soft">
        <span>{kindName(file.mimeType)}</span> <span>{sizeText(file.size)}</span> <DateTime iso={file.uploadedAt} />
      </p>
      <div className="flex flex-wrap items-center justify-end gap-1">
        {lacksAlt(file) && (
          <span className="flex-[1_0_auto] text-xs semibold text-alert max-[30rem]:basis-full">No description</span>
        )}
        <IconButton icon="copy" label={`Copy the URL of ${file.originalName}`} onClick={() => void copyUrl(file)} />
        <IconButton icon="bin" label={`Delete ${file.originalName}`} onClick={onDelete} />
      </div>
    </li>
  );
}

/** Placeholders in the sizes of the cards, shown while the grid loads. */
export function GridSkeleton() {
  return (
    <>
      <p className="unseen" role="status">
        Loading the files…
      </p>
      <ul className="media-grid" aria-hidden="true">
        {Array.from({ length: 12 }, (_, index) => (
          <li key={index} className="media-card">
            <span className="thumbnail skeleton" />
            <span className="min-h-[1.45em] truncate">
              <span className="skeleton skeleton-text" />
            </span>
            <p className="flex flex-wrap gap-x-3 text-xs text-ink-soft">
              <span className="skeleton skeleton-text" />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
