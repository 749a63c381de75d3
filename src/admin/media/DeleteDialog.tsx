import type { MediaRecord } from '../../domain/media.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { withNotice } from '../ui/with-notice.ts';
import { UseList } from './UseList.tsx';
import { useMediaFile, useRemove, useRestore } from './queries.ts';

interface DeleteDialogProps {
  file: MediaRecord;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before a file is deleted, and says where it would be missing; the notice afterwards takes it back. */
export function DeleteDialog({ file, onClose, onDeleted }: DeleteDialogProps) {
  const detail = useMediaFile(file.id);
  const remove = useRemove();
  const restore = useRestore();
  const usedIn = detail.data?.usedIn ?? [];

  const undo = () =>
    withNotice(
      restore.mutateAsync(file.id),
      () => ({ title: 'File restored', description: file.originalName }),
      'The file was not restored',
    );
  const confirm = () =>
    withNotice(
      remove.mutateAsync(file).then(onDeleted),
      () => ({
        title: 'File deleted successfully!',
        description: file.originalName,
        action: { label: 'Undo', onSelect: () => void undo() },
        durationMs: 10_000,
      }),
      'Failed to delete file',
    );

  return (
    <Dialog title="Delete this file?" onClose={onClose}>
      <p className="media-subject">{file.originalName}</p>
      {detail.isPending ? (
        <p role="status">Looking where it is used…</p>
      ) : usedIn.length > 0 ? (
        <Notice variant="destructive" title="This file is in use">
          <UseList uses={usedIn} />
          <p>It will be missing there.</p>
        </Notice>
      ) : (
        <p>
          {detail.isError
            ? 'Whether it is in use could not be found out.'
            : 'No post, no draft and no text of the home page uses it.'}{' '}
          It can be taken back from the notice that follows.
        </p>
      )}
      <div className="media-buttons">
        <Button
          look="destructive"
          icon="bin"
          onClick={() => void confirm()}
          pending={remove.isPending}
          pendingLabel="Deleting…"
        >
          Delete file
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </Dialog>
  );
}
