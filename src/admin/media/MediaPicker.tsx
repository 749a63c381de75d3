import { useRef, useState } from 'react';
import { type MediaRecord, isPicture, lacksAlt } from '../../domain/media.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { cursorTrail } from '../ui/paging.ts';
import type { PickedMedia } from '../ui/pick-media.ts';
import { AltForm } from './AltForm.tsx';
import { MediaDrop } from './MediaDrop.tsx';
import { GridSkeleton } from './MediaGrid.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { useMediaPage } from './queries.ts';
import { useUploads } from './use-uploads.ts';
import { listQueryOf } from './view.ts';

/** Chooses a picture of the library, or uploads one. A picture without a description gets one first. */
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
          Choose another
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
  const [place, setPlace] = useState<{ page: number; after: string | undefined }>({ page: 1, after: undefined });
  const [trail] = useState(cursorTrail);
  const list = useMediaPage(listQueryOf({ kind: 'pictures', q, after: place.after }));
  const search = useRef<HTMLInputElement>(null);
  const uploads = useUploads((file) => {
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
          setPlace({ page: 1, after: undefined });
        }}
        onDown={() => document.querySelector<HTMLElement>('.picker-choice')?.focus()}
        inputRef={search}
      />
      {list.isError && (
        <FailureNotice
          title="Could not load the pictures"
          error={list.error}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      )}
      {list.isPending && <GridSkeleton />}
      {list.data?.data.length === 0 && (
        <EmptyState title={q === '' ? 'No pictures yet' : `No pictures match “${q}”.`}>
          <p>Upload one above; it is then chosen.</p>
        </EmptyState>
      )}
      <ul className="media-grid" aria-label="Pictures" aria-busy={list.isPlaceholderData}>
        {list.data?.data.map((file) => (
          <li key={file.id} className="media-card">
            <button type="button" className="media-open picker-choice" onClick={() => onChoose(file)}>
              <Thumbnail file={file} alt={file.alt} />
              <span className="media-name">{file.originalName}</span>
            </button>
          </li>
        ))}
      </ul>
      {(nextCursor !== null || place.page > 1) && (
        <div className="media-buttons">
          <Button icon="left" unavailable={place.page === 1} onClick={() => setPlace(trail.back(place))}>
            Previous
          </Button>
          <Button
            icon="right"
            unavailable={nextCursor === null}
            onClick={() => nextCursor !== null && setPlace(trail.on(place, nextCursor))}
          >
            Next
          </Button>
        </div>
      )}
    </>
  );
}
