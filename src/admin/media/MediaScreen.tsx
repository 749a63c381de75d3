import { useState } from 'react';
import { type MediaRecord, isPicture } from '../../domain/media.ts';
import { useList } from '../lib/use-list.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ListContent } from '../ui/ListContent.tsx';
import { ListToolbar } from '../ui/ListToolbar.tsx';
import { Pager } from '../ui/Pager.tsx';
import { Segments } from '../ui/Segments.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { MediaDrop } from './MediaDrop.tsx';
import { GridSkeleton, MediaGrid } from './MediaGrid.tsx';
import { MediaPane } from './MediaPane.tsx';
import { ReplaceDialog } from './ReplaceDialog.tsx';
import { mediaList, mediaUrl } from './list.ts';
import { useMediaUploads } from './use-media-uploads.ts';

const kinds = [
  { value: 'all', label: 'All files' },
  { value: 'pictures', label: 'Pictures' },
] as const;

/** Media Library: uploads, the files, and the open file (docs/product.md#media-library). */
export default function MediaScreen() {
  const list = useList(mediaList);
  const { view } = list;
  const uploads = useMediaUploads((file, alone) => {
    // Opens a single new image, so the admin can describe it right away. Several uploads open nothing, because the
    // panel would jump from image to image.
    if (isPicture(file) && alone) mediaUrl.open(file.id);
  });
  const [deleting, setDeleting] = useState<MediaRecord>();
  const [replacing, setReplacing] = useState<MediaRecord>();

  return (
    <div className="list-screen media" data-split={view.open !== undefined || undefined}>
      <div className="list-main">
        <div className="list-rows">
          <MediaDrop uploads={uploads} />
          <ListToolbar
            list={list}
            searchLabel="Search files"
            onDown={() => document.querySelector<HTMLElement>('.media-grid a')?.focus()}
          >
            <Segments label="Kind" choices={kinds} chosen={view.kind} onChoose={(kind) => mediaUrl.filter({ kind })} />
          </ListToolbar>
          <ListContent
            list={list}
            skeleton={<GridSkeleton />}
            empty={
              <NoFiles
                q={view.q}
                filtered={view.q !== '' || view.kind !== 'all' || view.page > 1}
                onClear={() => {
                  mediaUrl.filter({ q: '', kind: 'all' });
                  list.searchField.current?.focus();
                }}
              />
            }
          >
            <MediaGrid list={list} onDelete={setDeleting} />
          </ListContent>
        </div>
        <Pager list={list} />
      </div>
      {view.open && (
        <MediaPane id={view.open} onClose={mediaUrl.close} onReplace={setReplacing} onDelete={setDeleting} />
      )}
      {replacing && (
        <ReplaceDialog
          file={replacing}
          onClose={() => setReplacing(undefined)}
          onReplace={(chosen) => {
            setReplacing(undefined);
            uploads.replace(replacing, chosen);
          }}
        />
      )}
      {deleting && (
        <DeleteDialog
          file={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined);
            if (view.open === deleting.id) mediaUrl.close();
          }}
        />
      )}
    </div>
  );
}

function NoFiles({ q, filtered, onClear }: { q: string; filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState title={q === '' ? 'No pictures' : `No files match “${q}”.`}>
        <p>
          {q === ''
            ? 'There are no pictures in the library.'
            : 'We looked for files with every word of your search in the file name or description.'}
        </p>
        <Button icon="cross" onClick={onClear}>
          Show all files
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No files yet">
      <p>Files you upload appear here. Copy a file’s URL to use it in posts and emails, and on other sites.</p>
    </EmptyState>
  );
}
