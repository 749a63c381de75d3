import { useState } from 'react';
import type { PostRecord } from '../../../domain/post.ts';
import { keptDays } from '../../../domain/retention.ts';
import { ApiError } from '../../../lib/api.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice } from '../../ui/FailureNotice.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PostWriting } from './PostWriting.tsx';
import { closePost, newPost } from '../list/list.ts';
import { usePost } from '../queries.ts';

/**
 * The dialog in which an admin writes a post. Loads the post's latest version from the server, then shows the form.
 */
export default function PostDialog({ id }: { id: string }) {
  /** A new post that was saved while the dialog was open. The form stays mounted, so the admin can keep typing. */
  const [created, setCreated] = useState<PostRecord | null>(null);
  const goesOn = id === newPost || id === created?.id;
  const { data: post, error, isFetching, refetch } = usePost(goesOn ? null : id);

  if (goesOn) return <PostWriting key={newPost} post={null} onCreated={setCreated} />;
  if (post) return <PostWriting key={id} post={post} onCreated={setCreated} />;
  return (
    <Dialog title="Edit Blog Post" placement="page" onClose={closePost}>
      {error instanceof ApiError && error.status === 404 ? (
        <Notice title="Post not found">
          <p>The link may be incomplete, or the post was deleted more than {keptDays.trashedPost} days ago.</p>
        </Notice>
      ) : error ? (
        <FailureNotice
          title="Couldn’t open the post"
          error={error}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      ) : (
        <div role="status" className="grid gap-4">
          <span className="unseen">Opening the post…</span>
          <span className="skeleton skeleton-bar" />
          <span className="skeleton skeleton-bar" />
          <span className="skeleton skeleton-editor" />
        </div>
      )}
    </Dialog>
  );
}
