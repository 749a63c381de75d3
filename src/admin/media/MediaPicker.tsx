import { useRef, useState } from 'react';
import { type MediaRecord, isPicture, lacksAlt } from '../../domain/media.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { usePage } from '../lib/paged-list.ts';
import { type PagePosition, cursorTrail } from '../lib/paging.ts';
import type { PickedMedia } from '../lib/pick-media.ts';
import { AltForm } from './AltForm.tsx';
import { MediaDrop } from './MediaDrop.tsx';
import { GridSkeleton } from './MediaGrid.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { mediaPages, mediaQuery } from './list.ts';
import { useMediaUploads } from './use-media-uploads.ts';

/** Chooses an image from the media library or uploads one. An image without a description must be described first. */
export default function MediaPicker({ onPick }: { onPick: (picked: PickedMedia | null) => void }) {
  const [chosen, setChosen] = useState<MediaRecord>();
  const choose = (file: MediaRecord) => {
    if (lacksAlt(file)) setChosen(file);
    else onPick(pickedOf(file));
  };
  if (chosen) {
    return (
      <Dialog key="describe" title="Describe the picture" onClose={() => onPick(null)}>
        <Thumbnail file={chosen} />
        <AltForm file={chosen} focused save="Use this picture" onSaved={(file) => onPick(pickedOf(file))} />
        <Button icon="left" onClick={() => setChosen(undefined)}>
          Choose another picture
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog key="choose" title="Choose a picture" placement="drawer" onClose={() => onPick(null)}>
      <Pictures onChoose={choose} />
    </Dialog>
  );
}

function pickedOf({ url, alt, decorative, width, height }: MediaRecord): PickedMedia {
  return { url, alt, decorative, width, height };
}

function Pictures({ onChoose }: { onChoose: (file: MediaRecord) => void }) {
  const [q, setQ] = useState('');
  const [position, setPosition] = useState<PagePosition>({ page: 1, after: undefined });
  const [trail] = useState(cursorTrail);
  const list = usePage(mediaPages, mediaQuery({ kind: 'pictures', q, after: position.after }));
  const search = useRef<HTMLInputElement>(null);
  const uploads = useMediaUploads((file) => {
    if (isPicture(file)) onChoose(file);
  });
  const nextCursor = list.data?.nextCursor ?? null;
  return (
    <>
      <MediaDrop uploads={uploads} />
      <SearchField
        label="Search pictures"
        q={q}
        onSearch={(words) => {
          setQ(words);
          setPosition({ page: 1, after: undefined });
        }}
        onDown={() => document.querySelector<HTMLElement>('dialog .media-grid button')?.focus()}
        inputRef={search}
      />
      {list.isError && (
        <FailureNotice
          title="Couldn’t load the pictures"
          error={list.error}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      )}
      {list.isPending && <GridSkeleton />}
      {list.data?.data.length === 0 && (
        <EmptyState title={q === '' ? 'No pictures yet' : `No pictures match “${q}”.`}>
          <p>To use a picture here, upload it in the box above.</p>
        </EmptyState>
      )}
      <ul className="media-grid" aria-label="Pictures" aria-busy={list.isPlaceholderData}>
        {list.data?.data.map((file) => (
          <li key={file.id} className="media-card">
            <button type="button" className="media-open" onClick={() => onChoose(file)}>
              <Thumbnail file={file} alt={file.alt} />
              <span className="min-h-[1.45em] truncate">{file.originalName}</span>
            </button>
          </li>
        ))}
      </ul>
      {(nextCursor !== null || position.page > 1) && (
        <div className="actions">
          <Button icon="left" unavailable={position.page === 1} onClick={() => setPosition(trail.previous(position))}>
            Previous
          </Button>
          <Button
            icon="right"
            unavailable={nextCursor === null}
            onClick={() => nextCursor !== null && setPosition(trail.next(position, nextCursor))}
          >
            Next
          </Button>
        </div>
      )}
    </>
  );
}
