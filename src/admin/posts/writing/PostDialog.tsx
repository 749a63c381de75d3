import { useEffect, useState } from 'react';
import { apiPaths } from '../../../domain/api-paths.ts';
import { type PostRecord, postAnswer } from '../../../domain/post.ts';
import { keptDays } from '../../../domain/retention.ts';
import { dayText } from '../../../lib/dates.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded, Notice } from '../../ui/Notice.tsx';
import { formOf } from './post-form.ts';
import { PostText } from './VersionsDialog.tsx';
import { closePost, isNewPost, nameOpenPost, newPost, newPostId, useTrash } from '../list.ts';
import { useLatest } from './latest.ts';
import { PostWriting } from './PostWriting.tsx';

/**
 * The dialog in which an admin writes a post. Loads the post's latest version from the server, then shows the form.
 */
export default function PostDialog({ id: named }: { id: string }) {
  const [fresh] = useState(newPostId);
  /** A new post that was saved while the dialog was open. The form stays mounted, so the admin can keep typing. */
  const [created, setCreated] = useState<{ readonly id: string; readonly post: PostRecord } | null>(null);
  const id = named === newPost ? fresh : named === created?.post.id ? created.id : named;
  const query = useLatest(isNewPost(id) ? null : apiPaths.post(id), postAnswer);
  const post = query.data;
  useEffect(() => nameOpenPost(newPost, fresh), [fresh]);

  if (isNewPost(id)) {
    return <PostWriting key={id} id={id} post={null} onCreated={(saved) => setCreated({ id, post: saved })} />;
  }
  if (post?.deletedAt) return <TrashedPost post={post} onRestored={() => void query.refetch()} />;
  if (post) return <PostWriting key={id} id={id} post={post} onCreated={() => undefined} />;
  return (
    <Dialog title="Edit Blog Post" placement="page" onClose={closePost}>
      <Loaded
        what="this post"
        query={query}
        missing={`The link may be incomplete, or the post was deleted more than ${keptDays.trashedPost} days ago.`}
        skeleton={
          <div className="grid gap-4">
            <span className="skeleton h-(--control)" />
            <span className="skeleton h-(--control)" />
            <span className="skeleton h-[max(21rem,100dvh-25rem)]" />
          </div>
        }
      >
        {() => null}
      </Loaded>
    </Dialog>
  );
}

/** A post in the trash, to read and to restore. */
function TrashedPost({ post, onRestored }: { post: PostRecord; onRestored: () => void }) {
  const trash = useTrash(onRestored);
  const end = new Date(Date.parse(post.deletedAt ?? '') + keptDays.trashedPost * 86_400_000).toISOString();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Dialog title="Deleted Blog Post" placement="page" onClose={closePost}>
      <Notice title={`In the trash until ${dayText(end, timeZone)}`}>
        <p>Visitors can’t see this post. To edit the post, restore it first.</p>
        <Button look="primary" icon="undo" onClick={() => trash.restore(post)} pending={trash.pending}>
          Restore post
        </Button>
      </Notice>
      <PostText form={formOf(post)} />
    </Dialog>
  );
}
