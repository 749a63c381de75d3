import { type MouseEvent, type ReactNode, useDeferredValue } from 'react';
import { defaultPageSize } from '../../domain/paging.ts';
import type { MediaRecord } from '../../domain/media.ts';
import { opensElsewhere } from '../lib/location.ts';
import type { ShownList } from '../lib/use-list.ts';
import { ListScreen } from '../ui/ListScreen.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { UploadZone } from './UploadZone.tsx';

/** One line of cards in a wide window, because a card takes twice as long to render as a row of a list. */
const firstCards = 6;

interface MediaGridProps {
  list: ShownList<MediaRecord>;
  /** The accessible name of the grid. */
  label: string;
  filters: ReactNode;
  /** Shown if the library has no such files. */
  empty: ReactNode;
  pane?: ReactNode;
  /** Called for a click on a file. */
  onOpen: (file: MediaRecord) => void;
  /** Whether a click chooses the file, instead of opening its URL in the library. */
  choosing?: boolean;
  /** Called after each upload; `alone` is true if no other upload is in the queue. */
  onUploaded: (file: MediaRecord, alone: boolean) => void;
  /** What a card shows below the file's name. */
  children?: (file: MediaRecord) => ReactNode;
}

/** The drop zone for uploads, and files of the library as cards in a grid. */
export function MediaGrid({ list, label, choosing, onOpen, onUploaded, children, ...screen }: MediaGridProps) {
  const { view, rows, outdated } = list;
  const shownRows = useDeferredValue(defaultPageSize, firstCards);
  return (
    <ListScreen
      list={list}
      look={choosing ? '' : 'media'}
      searched="We searched file names and descriptions."
      above={<UploadZone onUploaded={onUploaded} />}
      {...screen}
    >
      <ul className="media-grid" aria-label={label} aria-busy={outdated}>
        {rows.slice(0, shownRows).map((file) => {
          const open = view.open === file.id || undefined;
          const name = (
            <>
              <Thumbnail file={file} alt={choosing ? file.alt : ''} />
              <span className="min-h-[1.45em] truncate" title={file.originalName}>
                {file.originalName}
              </span>
            </>
          );
          const onClick = (event: MouseEvent) => {
            if (opensElsewhere(event)) return;
            event.preventDefault();
            onOpen(file);
          };
          return (
            <li key={file.id} className="media-card" data-row={file.id} data-open={open}>
              {choosing ? (
                <button type="button" className="media-open" onClick={onClick}>
                  {name}
                </button>
              ) : (
                <a className="media-open" href={list.hrefOf(file.id)} aria-current={open} onClick={onClick}>
                  {name}
                </a>
              )}
              {children?.(file)}
            </li>
          );
        })}
      </ul>
    </ListScreen>
  );
}
