import { type MouseEvent, type ReactNode, useDeferredValue } from 'react';
import { defaultPageSize } from '../../domain/paging.ts';
import { sizeText } from '../../domain/file-size.ts';
import { type MediaRecord, lacksAlt } from '../../domain/media.ts';
import { IconButton } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { opensElsewhere } from '../lib/location.ts';
import type { ShownList } from '../lib/use-list.ts';
import { Thumbnail } from './Thumbnail.tsx';
import { mediaList } from './list.ts';
import { copyUrl, kindName } from './view.ts';

/** One line of cards in a wide window, because a card takes twice as long to render as a row of a list. */
const firstCards = 6;

interface GridProps {
  list: ShownList<MediaRecord>;
  label: string;
  children: (file: MediaRecord) => ReactNode;
}

/** Files as cards in a grid. */
function Grid({ list: { view, rows, outdated }, label, children }: GridProps) {
  const shownRows = useDeferredValue(defaultPageSize, firstCards);
  return (
    <ul className="media-grid" aria-label={label} aria-busy={outdated}>
      {rows.slice(0, shownRows).map((file) => (
        <li key={file.id} className="media-card" data-row={file.id} data-open={view.open === file.id || undefined}>
          {children(file)}
        </li>
      ))}
    </ul>
  );
}

function FileName({ file, alt }: { file: MediaRecord; alt?: string }) {
  return (
    <>
      <Thumbnail file={file} {...(alt !== undefined && { alt })} />
      <span className="min-h-[1.45em] truncate" title={file.originalName}>
        {file.originalName}
      </span>
    </>
  );
}

interface MediaGridProps {
  list: ShownList<MediaRecord>;
  onDelete: (file: MediaRecord) => void;
}

/** The files of the library. A click opens a file in the panel. */
export function MediaGrid({ list, onDelete }: MediaGridProps) {
  const open = (event: MouseEvent, id: string) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    mediaList.open(id);
  };
  return (
    <Grid list={list} label="Files">
      {(file) => (
        <>
          <a
            className="media-open"
            href={list.hrefOf(file.id)}
            aria-current={list.view.open === file.id || undefined}
            onClick={(event) => open(event, file.id)}
          >
            <FileName file={file} />
          </a>
          <p className="figures flex flex-wrap gap-x-3 text-xs text-ink-soft">
            <span>{kindName(file.mimeType)}</span> <span>{sizeText(file.size)}</span> <DateTime iso={file.uploadedAt} />
          </p>
          <div className="flex flex-wrap items-center justify-end gap-1">
            {lacksAlt(file) && (
              <span className="flex-[1_0_auto] text-xs semibold text-alert max-[30rem]:basis-full">No description</span>
            )}
            <IconButton icon="copy" label={`Copy the URL of ${file.originalName}`} onClick={() => copyUrl(file)} />
            <IconButton icon="bin" label={`Delete ${file.originalName}`} onClick={() => onDelete(file)} />
          </div>
        </>
      )}
    </Grid>
  );
}

/** The pictures of the library. A click chooses a picture. */
export function PictureGrid({
  list,
  onChoose,
}: {
  list: ShownList<MediaRecord>;
  onChoose: (file: MediaRecord) => void;
}) {
  return (
    <Grid list={list} label="Pictures">
      {(file) => (
        <button type="button" className="media-open" onClick={() => onChoose(file)}>
          <FileName file={file} alt={file.alt} />
        </button>
      )}
    </Grid>
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
