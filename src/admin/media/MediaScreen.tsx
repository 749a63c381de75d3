import { useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { sizeText } from '../../domain/text/text.ts';
import { type MediaRecord, isPicture, lacksAlt, mediaAnswer, mediaRemoval } from '../../domain/site/media.ts';
import { undo, useAct } from '../lib/act.ts';
import { useList } from '../lists/use-list.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { Segments } from '../lists/ListToolbar.tsx';
import { MediaGrid } from './MediaGrid.tsx';
import { MediaPane, Uses } from './MediaPane.tsx';
import { ReplaceDialog } from './ReplaceDialog.tsx';
import { mediaKey, mediaList } from './list.ts';
import { copyUrl, kindName } from './Thumbnail.tsx';

const kinds = [
  { value: 'all', label: 'All files' },
  { value: 'pictures', label: 'Pictures' },
] as const;

/** Media Library: uploads, the files, and the open file (docs/product.md#media-library). */
export default function MediaScreen() {
  const list = useList(mediaList);
  const { kind, open } = list.view;
  /** The file in the dialog for a deletion or a replacement. */
  const [asking, ask] = useState<{ file: MediaRecord; to: 'delete' | 'replace' }>();
  const close = () => ask(undefined);

  return (
    <MediaGrid
      list={list}
      label="Files"
      filters={
        <Segments label="Kind" choices={kinds} chosen={kind} onChoose={(value) => mediaList.filter({ kind: value })} />
      }
      empty={
        <EmptyState title={kind === 'pictures' ? 'No pictures yet' : 'No files yet'}>
          <p>Files you upload appear here. Copy a file’s URL to use it in posts and emails, and on other sites.</p>
        </EmptyState>
      }
      onOpen={({ id }) => mediaList.open(id)}
      onUploaded={(file, alone) => {
        // Opens a single new image, so the admin can describe it right away. Several uploads open nothing, because the
        // panel would jump from image to image.
        if (isPicture(file) && alone) mediaList.open(file.id);
      }}
      pane={
        <>
          {open !== undefined && (
            <MediaPane
              id={open}
              onClose={list.close}
              onReplace={(file) => ask({ file, to: 'replace' })}
              onDelete={(file) => ask({ file, to: 'delete' })}
            />
          )}
          {asking?.to === 'replace' && <ReplaceDialog file={asking.file} onClose={close} />}
          {asking?.to === 'delete' && <DeleteDialog file={asking.file} onClose={close} />}
        </>
      }
    >
      {(file) => (
        <>
          <p className="figures flex flex-wrap gap-x-3 text-xs text-ink-soft [&>time]:basis-full">
            <span>{kindName(file.mimeType)}</span> <span>{sizeText(file.size)}</span>{' '}
            <DateTime exact iso={file.uploadedAt} />
          </p>
          <div className="flex flex-wrap items-center justify-end gap-1">
            {lacksAlt(file) && (
              <span className="flex-[1_0_auto] text-xs semibold text-alert max-[30rem]:basis-full">No description</span>
            )}
            <IconButton icon="copy" label={`Copy the URL of ${file.originalName}`} onClick={() => copyUrl(file)} />
            <IconButton icon="bin" label={`Delete ${file.originalName}`} onClick={() => ask({ file, to: 'delete' })} />
          </div>
        </>
      )}
    </MediaGrid>
  );
}

/**
 * Asks for confirmation before a file is deleted, and lists where the file is used. The toast after the deletion has an
 * Undo button.
 */
function DeleteDialog({ file, onClose }: { file: MediaRecord; onClose: () => void }) {
  const { id, originalName } = file;
  const restore = useAct((send) => send(apiPaths.restoreMediaFile(id), { method: 'POST', schema: mediaAnswer }), {
    done: () => ({ title: 'File restored', description: originalName }),
    failed: 'Couldn’t restore the file',
    retry: true,
    refresh: mediaKey,
  });
  const remove = useAct((send) => send(apiPaths.mediaFile(id), { method: 'DELETE', schema: mediaRemoval }), {
    done: () => {
      onClose();
      if (mediaList.current().open === id) mediaList.close();
      return { title: 'File deleted successfully!', description: originalName, ...undo(() => restore.mutate()) };
    },
    failed: 'Failed to delete file',
    // Only the lists, because a request for the deleted file would fail.
    refresh: mediaList.key,
  });
  return (
    <Dialog title="Delete this file?" onClose={onClose}>
      <p className="semibold wrap-anywhere">{originalName}</p>
      <Uses
        id={id}
        used={(list) => (
          <Notice variant="destructive" title="This file is in use">
            {list}
            <p>If you delete the file, it disappears from these pages.</p>
          </Notice>
        )}
      />
      <p>After you delete the file, you have 10 seconds to select “Undo.”</p>
      <div className="actions">
        <Button act={remove} look="destructive" icon="bin" pendingLabel="Deleting…">
          Delete file
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
