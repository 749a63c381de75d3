import { useState } from 'react';
import { type MediaRecord, isPicture } from '../../domain/media.ts';
import { useList } from '../lib/use-list.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ListScreen } from '../ui/ListScreen.tsx';
import { Segments } from '../ui/Segments.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { GridSkeleton, MediaGrid } from './MediaGrid.tsx';
import { MediaPane } from './MediaPane.tsx';
import { ReplaceDialog } from './ReplaceDialog.tsx';
import { UploadZone } from './UploadZone.tsx';
import { mediaList, searchedFiles } from './list.ts';

const kinds = [
  { value: 'all', label: 'All files' },
  { value: 'pictures', label: 'Pictures' },
] as const;

/** Media Library: uploads, the files, and the open file (docs/product.md#media-library). */
export default function MediaScreen() {
  const list = useList(mediaList);
  const { view } = list;
  const [deleting, setDeleting] = useState<MediaRecord>();
  const [replacing, setReplacing] = useState<MediaRecord>();

  return (
    <ListScreen
      list={list}
      look="media"
      searched={searchedFiles}
      filters={
        <Segments label="Kind" choices={kinds} chosen={view.kind} onChoose={(kind) => mediaList.filter({ kind })} />
      }
      above={
        <UploadZone
          onUploaded={(file, alone) => {
            // Opens a single new image, so the admin can describe it right away. Several uploads open nothing, because
            // the panel would jump from image to image.
            if (isPicture(file) && alone) mediaList.open(file.id);
          }}
        />
      }
      skeleton={<GridSkeleton />}
      empty={
        view.kind === 'pictures' ? (
          <EmptyState title="No pictures">
            <p>There are no pictures in the library.</p>
            <Button onClick={() => mediaList.filter({ kind: 'all' })}>Show all files</Button>
          </EmptyState>
        ) : (
          <EmptyState title="No files yet">
            <p>Files you upload appear here. Copy a file’s URL to use it in posts and emails, and on other sites.</p>
          </EmptyState>
        )
      }
      pane={
        <>
          {view.open !== undefined && (
            <MediaPane id={view.open} onClose={list.close} onReplace={setReplacing} onDelete={setDeleting} />
          )}
          {replacing && <ReplaceDialog file={replacing} onClose={() => setReplacing(undefined)} />}
          {deleting && (
            <DeleteDialog
              file={deleting}
              onClose={() => setDeleting(undefined)}
              onDeleted={() => {
                setDeleting(undefined);
                if (view.open === deleting.id) mediaList.close();
              }}
            />
          )}
        </>
      }
    >
      <MediaGrid list={list} onDelete={setDeleting} />
    </ListScreen>
  );
}
