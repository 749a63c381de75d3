import type { MouseEvent } from 'react';
import { sizeText } from '../../domain/file-size.ts';
import { type MediaRecord, lacksAlt } from '../../domain/media.ts';
import { IconButton } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { copyUrl } from './copy-url.ts';
import { openFile } from './media-place.ts';
import { type MediaView, kindName, searchOf } from './view.ts';

interface MediaGridProps {
  view: MediaView;
  files: readonly MediaRecord[];
  /** The files are those of the page or search before. */
  outdated: boolean;
  onDelete: (file: MediaRecord) => void;
}

/** The library as a contact sheet: pictures in equal frames, each with what is known of it. */
export function MediaGrid({ view, files, outdated, onDelete }: MediaGridProps) {
  return (
    <ul className="media-grid" aria-label="Files" aria-busy={outdated}>
      {files.map((file) => (
        <MediaCard key={file.id} view={view} file={file} onDelete={onDelete} />
      ))}
    </ul>
  );
}

function MediaCard({
  view,
  file,
  onDelete,
}: { view: MediaView; file: MediaRecord } & Pick<MediaGridProps, 'onDelete'>) {
  const open = view.file === file.id;
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openFile(file.id);
  };
  return (
    <li className="media-card" data-open={open || undefined}>
      <a
        className="media-open"
        href={searchOf({ ...view, file: file.id })}
        aria-current={open || undefined}
        onClick={onClick}
      >
        <Thumbnail file={file} />
        <span className="media-name" title={file.originalName}>
          {file.originalName}
        </span>
      </a>
      <p className="media-facts figures">
        <span>{kindName(file.mimeType)}</span> <span>{sizeText(file.size)}</span> <DateTime iso={file.uploadedAt} />
      </p>
      <div className="media-actions">
        {lacksAlt(file) && <span className="media-mark">Not described</span>}
        <IconButton icon="copy" label={`Copy the URL of ${file.originalName}`} onClick={() => void copyUrl(file)} />
        <IconButton icon="bin" label={`Delete ${file.originalName}`} onClick={() => onDelete(file)} />
      </div>
    </li>
  );
}

/** The grid while it is on its way, in the sizes that it will have. */
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
            <span className="media-name">
              <span className="skeleton skeleton-text" />
            </span>
            <p className="media-facts">
              <span className="skeleton skeleton-text" />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
