import { useState } from 'react';
import type { PostRecord } from '../../domain/post.ts';
import { ApiError } from '../../lib/api.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PostWriting } from './PostWriting.tsx';
import { closePost } from './posts-place.ts';
import { usePost } from './queries.ts';
import { newPost } from './view.ts';

/** The dialog in which a post is written; it opens with the post as it is on the server now. */
export function PostDialog({ id }: { id: string }) {
  /** A new post that was stored while it is open: the writing goes on in the same form. */
  const [created, setCreated] = useState<PostRecord | null>(null);
  const goesOn = id === newPost || id === created?.id;
  const { data: post, error, isFetching, refetch } = usePost(goesOn ? null : id);

  if (goesOn) return <PostWriting key={newPost} post={null} onCreated={setCreated} />;
  if (post) return <PostWriting key={id} post={post} onCreated={setCreated} />;
  return (
    <Dialog title="Edit Blog Post" placement="page" onClose={closePost}>
      {error instanceof ApiError && error.status === 404 ? (
        <Notice title="There is no such post">
          <p>The link may have been cut short, or the post was deleted more than 30 days ago.</p>
        </Notice>
      ) : error ? (
        <FailureNotice
          title="Could not open the post"
          error={error}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      ) : (
        <div role="status" className="post-form">
          <span className="unseen">Opening the post…</span>
          <span className="skeleton skeleton-bar" />
          <span className="skeleton skeleton-bar" />
          <span className="skeleton skeleton-editor" />
        </div>
      )}
    </Dialog>
  );
}
