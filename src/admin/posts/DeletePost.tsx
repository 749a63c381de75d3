import type { PostSummary } from '../../domain/posts/post.ts';
import { keptDays } from '../../domain/submissions/retention.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import type { useTrash } from './list.ts';

interface DeletePostProps extends Pick<ReturnType<typeof useTrash>, 'remove'> {
  post: PostSummary;
  onClose: () => void;
}

/** Asks before a post moves to the trash. */
export default function DeletePost({ post, remove, onClose }: DeletePostProps) {
  return (
    <Dialog title="Delete this post?" onClose={onClose}>
      <p>
        “{post.title}” moves to the trash. For {keptDays.trashedPost} days, you can restore it.
        {post.status === 'published' && ' Visitors will no longer see the post.'}
      </p>
      <div className="actions">
        <Button act={remove} input={post} look="destructive" icon="bin" onClick={onClose}>
          Delete post
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
