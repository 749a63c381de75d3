import type { PostSummary } from '../../../domain/post.ts';
import { keptDays } from '../../../domain/retention.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

interface DeleteDialogProps {
  post: PostSummary;
  onDelete: () => void;
  onClose: () => void;
}

/** Asks for confirmation before a post moves to the trash. */
export function DeleteDialog({ post, onDelete, onClose }: DeleteDialogProps) {
  return (
    <Dialog title="Delete this post?" onClose={onClose}>
      <p>
        “{post.title}” moves to the trash. For {keptDays.trashedPost} days, you can restore it.
        {post.status === 'published' && ' Visitors will no longer see the post.'}
      </p>
      <div className="actions">
        <Button look="destructive" icon="bin" onClick={onDelete}>
          Delete post
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
