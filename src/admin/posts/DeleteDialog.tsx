import type { PostSummary } from '../../domain/post.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';

interface DeleteDialogProps {
  post: PostSummary;
  onDelete: () => void;
  onClose: () => void;
}

/** Asks before a post goes to the trash. */
export function DeleteDialog({ post, onDelete, onClose }: DeleteDialogProps) {
  return (
    <Dialog title="Delete this post?" onClose={onClose}>
      <p>
        “{post.title}” goes to the trash, where it can be restored for 30 days.
        {post.status === 'published' && ' Visitors can no longer read it.'}
      </p>
      <div className="dialog-actions">
        <Button look="destructive" icon="bin" onClick={onDelete}>
          Delete post
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </Dialog>
  );
}
