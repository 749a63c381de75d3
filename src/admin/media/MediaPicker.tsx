import { useState } from 'react';
import { type MediaRecord, isPicture, lacksAlt } from '../../domain/media.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ListScreen } from '../ui/ListScreen.tsx';
import { cursorTrail } from '../lib/list.ts';
import type { PickedMedia } from '../lib/pick-media.ts';
import { useList } from '../lib/use-list.ts';
import { AltForm } from './AltForm.tsx';
import { GridSkeleton, PictureGrid } from './MediaGrid.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { UploadZone } from './UploadZone.tsx';
import { mediaList, searchedFiles } from './list.ts';

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

/** The list of the library's pictures. Its state is not in the URL, because the URL belongs to the screen behind. */
function usePictures() {
  const [view, setView] = useState(() => ({ ...mediaList.read(''), kind: 'pictures' as const }));
  const [trail] = useState(cursorTrail);
  return useList(
    { ...mediaList, many: 'pictures' },
    {
      view,
      filter: ({ q = view.q }) => setView({ ...view, q, page: 1, after: undefined }),
      next: (cursor) => setView({ ...view, ...trail.next(view, cursor) }),
      previous: () => setView({ ...view, ...trail.previous(view) }),
    },
  );
}

function Pictures({ onChoose }: { onChoose: (file: MediaRecord) => void }) {
  const list = usePictures();
  return (
    <ListScreen
      list={list}
      searched={searchedFiles}
      filters={null}
      above={
        <UploadZone
          onUploaded={(file) => {
            if (isPicture(file)) onChoose(file);
          }}
        />
      }
      skeleton={<GridSkeleton />}
      empty={
        <EmptyState title="No pictures yet">
          <p>To use a picture here, upload it in the box above.</p>
        </EmptyState>
      }
    >
      <PictureGrid list={list} onChoose={onChoose} />
    </ListScreen>
  );
}
