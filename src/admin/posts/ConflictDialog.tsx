import type { PostRecord } from '../../domain/post.ts';
import { Button } from '../ui/Button.tsx';
import { copyText } from '../ui/CopyButton.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Comparison } from './Comparison.tsx';
import { type PostForm, formOf } from './post-form.ts';

interface ConflictDialogProps {
  /** The post as somebody else left it. */
  current: PostRecord;
  /** What is in the form. */
  form: PostForm;
  pending: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onClose: () => void;
}

/** Two people changed the same post, or one in two tabs: both texts side by side, and the choice between them. */
export function ConflictDialog({ current, form, pending, onKeepMine, onTakeTheirs, onClose }: ConflictDialogProps) {
  const trashed = current.deletedAt !== null;
  return (
    <Dialog
      title={trashed ? 'This post is in the trash' : 'This post was changed meanwhile'}
      placement="page"
      onClose={onClose}
      foot={
        <div className="dialog-actions">
          <Button look="primary" onClick={onKeepMine} pending={pending} pendingLabel="Saving…">
            {trashed ? 'Restore it and save mine' : 'Save mine over theirs'}
          </Button>
          {!trashed && <Button onClick={onTakeTheirs}>Take theirs</Button>}
          <Button icon="copy" onClick={() => void copyText(form.content, 'HTML of your text')}>
            Copy mine
          </Button>
        </div>
      }
    >
      <p>
        {trashed ? 'Somebody deleted it after you opened it.' : 'It was saved after you opened it,'}{' '}
        {!trashed && (
          <>
            at <DateTime iso={current.updatedAt} />. Nothing of yours is lost: it is in the form until you choose.
          </>
        )}
      </p>
      <Comparison
        left={{ label: 'Yours, not saved', form }}
        right={{ label: trashed ? 'In the trash' : 'Theirs, saved', form: formOf(current) }}
      />
    </Dialog>
  );
}
