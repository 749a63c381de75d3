import { useState } from 'react';
import { type MediaRecord, isPicture, lacksAlt } from '../../domain/site/media.ts';
import { nextPage, previousPage } from '../lists/list.ts';
import { useList } from '../lists/use-list.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { AltForm } from './MediaPane.tsx';
import { MediaGrid } from './MediaGrid.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { mediaList } from './list.ts';

/** Chooses an image from the media library or uploads one. An image without a description must be described first. */
export default function MediaPicker({ onPick }: { onPick: (picked: MediaRecord | null) => void }) {
  const [chosen, setChosen] = useState<MediaRecord>();
  const close = () => onPick(null);
  if (chosen) {
    return (
      <Dialog key="describe" title="Describe the picture" onClose={close}>
        <Thumbnail file={chosen} />
        <AltForm file={chosen} focused save="Use this picture" onSaved={onPick} />
        <Button icon="left" onClick={() => setChosen(undefined)}>
          Choose another picture
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog key="choose" title="Choose a picture" placement="drawer" onClose={close}>
      <Pictures onChoose={(file) => (lacksAlt(file) ? setChosen(file) : onPick(file))} />
    </Dialog>
  );
}

/** The library's pictures. The state of the list is not in the URL, because the URL belongs to the screen behind. */
function Pictures({ onChoose }: { onChoose: (file: MediaRecord) => void }) {
  const [view, setView] = useState(() => ({ ...mediaList.read(''), kind: 'pictures' as const }));
  const list = useList({
    ...mediaList,
    many: 'pictures',
    view,
    filter: ({ q = view.q }) => setView({ ...view, q, after: '' }),
    next: (cursor) => setView({ ...view, after: nextPage(view.after, cursor) }),
    previous: () => setView({ ...view, after: previousPage(view.after) }),
  });
  return (
    <MediaGrid
      list={list}
      label="Pictures"
      choosing
      filters={null}
      empty={
        <EmptyState title="No pictures yet">
          <p>To use a picture here, upload it in the box above.</p>
        </EmptyState>
      }
      onOpen={onChoose}
      onUploaded={(file) => isPicture(file) && onChoose(file)}
    />
  );
}
