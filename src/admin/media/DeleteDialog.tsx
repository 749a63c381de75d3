import type { MediaRecord } from '../../domain/media.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { undo } from '../lib/undo.ts';
import { withToast } from '../lib/with-toast.ts';
import { Uses } from './Uses.tsx';
import { useRemove, useRestore } from './queries.ts';

interface DeleteDialogProps {
  file: MediaRecord;
  onClose: () => void;
  onDeleted: () => void;
}

/**
 * Asks for confirmation before a file is deleted, and lists where the file is used. The toast after the deletion has an
 * Undo button.
 */
export function DeleteDialog({ file, onClose, onDeleted }: DeleteDialogProps) {
  const remove = useRemove();
  const restore = useRestore();

  const putBack = () =>
    withToast(
      restore.mutateAsync(file.id),
      () => ({ title: 'File restored', description: file.originalName }),
      'Couldn’t restore the file',
    );
  const confirm = () =>
    withToast(
      remove.mutateAsync(file).then(onDeleted),
      () => ({
        title: 'File deleted successfully!',
        description: file.originalName,
        ...undo(() => void putBack()),
      }),
      'Failed to delete file',
    );

  return (
    <Dialog title="Delete this file?" onClose={onClose}>
      <p className="semibold wrap-anywhere">{file.originalName}</p>
      <Uses
        id={file.id}
        used={(list) => (
          <Notice variant="destructive" title="This file is in use">
            {list}
            <p>If you delete the file, it disappears from these pages.</p>
          </Notice>
        )}
      />
      <p>After you delete the file, you can undo the deletion in the message that appears.</p>
      <div className="actions">
        <Button
          look="destructive"
          icon="bin"
          onClick={() => void confirm()}
          pending={remove.isPending}
          pendingLabel="Deleting…"
        >
          Delete file
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
