import type { PostRecord } from '../../../domain/post.ts';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/CopyButton.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Comparison } from '../versions/Comparison.ts';
import { type PostForm, formOf } from '../post-form.ts';

interface ConflictDialogProps {
  /** The post as another admin saved it. */
  current: PostRecord;
  /** The text and settings in this admin's form. */
  form: PostForm;
  pending: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onClose: () => void;
}

/**
 * Shown when someone saved the post in another browser or another tab after this form was opened. Compares both
 * versions side by side and asks which version to keep.
 */
export function ConflictDialog({ current, form, pending, onKeepMine, onTakeTheirs, onClose }: ConflictDialogProps) {
  const trashed = current.deletedAt !== null;
  return (
    <Dialog
      title={trashed ? 'This post is in the trash' : 'Someone else changed this post'}
      placement="page"
      onClose={onClose}
      foot={
        <div className="actions">
          <Button look="primary" onClick={onKeepMine} pending={pending} pendingLabel="Saving…">
            {trashed ? 'Restore post and save your version' : 'Save your version'}
          </Button>
          {!trashed && <Button onClick={onTakeTheirs}>Use their version</Button>}
          <Button icon="copy" onClick={() => void copyText(form.content, 'HTML of your version')}>
            Copy your version
          </Button>
        </div>
      }
    >
      <p>
        {trashed
          ? 'Someone deleted the post after you opened it. Your version is still in the form.'
          : 'After you opened the post, someone else saved it on'}{' '}
        {!trashed && (
          <>
            <DateTime iso={current.updatedAt} />. Your version stays in the form until you choose.
          </>
        )}
      </p>
      <Comparison
        fallback={<span className="skeleton skeleton-editor" />}
        left={{ label: 'Your version, not saved', form }}
        right={{ label: trashed ? 'In the trash' : 'Their version, saved', form: formOf(current) }}
      />
    </Dialog>
  );
}
