import type { ReactNode } from 'react';
import type { MediaRecord } from '../../domain/site/media.ts';
import { onPlainClick } from '../lib/location.ts';
import type { ShownList } from '../lists/use-list.ts';
import { ListScreen } from '../lists/ListScreen.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { UploadZone } from './uploads.tsx';

const nameLook = 'group grid min-w-0 gap-2 p-0 text-start [color:inherit] semibold no-underline';

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
  return (
    <ListScreen
      list={list}
      // Leaves space for focus outlines, which the scrolling area would clip.
      look={choosing ? '' : '-mx-2 px-2'}
      searched="The site searched file names and descriptions."
      above={<UploadZone onUploaded={onUploaded} />}
      {...screen}
    >
      <ul
        className="grid grid-cols-[repeat(auto-fill,minmax(min(12rem,45%),1fr))] gap-x-4 pb-4 aria-busy:opacity-50"
        aria-label={label}
        aria-busy={outdated}
      >
        {rows.map((file) => {
          const open = view.open === file.id || undefined;
          const name = (
            <>
              <Thumbnail file={file} alt={choosing ? file.alt : ''} />
              <span className="min-h-[1.45em] truncate group-hover:underline" title={file.originalName}>
                {file.originalName}
              </span>
            </>
          );
          const onClick = onPlainClick(() => onOpen(file));
          return (
            <li
              key={file.id}
              className="grid min-w-0 grid-rows-[auto_auto_1fr] pt-3 pb-1 rule-t-rule data-open:[box-shadow:inset_0_3px_var(--color-accent)]"
              data-row={file.id}
              data-open={open}
            >
              {choosing ? (
                <button type="button" className={nameLook} onClick={onClick}>
                  {name}
                </button>
              ) : (
                <a className={nameLook} href={list.hrefOf(file.id)} aria-current={open} onClick={onClick}>
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
