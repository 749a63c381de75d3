import type { MediaRecord } from '../../domain/media.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
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
    restore.mutate(file.id, {
      onSuccess: () => showToast({ title: 'File restored', description: file.originalName }),
      onError: (error) =>
        showToast({ title: 'The file was not restored', description: errorText(error), variant: 'destructive' }),
    });
  const confirm = () =>
    remove.mutate(file, {
      onSuccess: () => {
        onDeleted();
        showToast({
          title: 'File deleted successfully!',
          description: file.originalName,
          action: { label: 'Undo', onSelect: undo },
          durationMs: 10_000,
        });
      },
      onError: (error) =>
        showToast({ title: 'Failed to delete file', description: errorText(error), variant: 'destructive' }),
    });

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
        <Button look="primary" icon="bin" onClick={confirm} pending={remove.isPending} pendingLabel="Deleting…">
          Delete file
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </Dialog>
  );
}
