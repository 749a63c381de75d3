import { startTransition, useRef, useState } from 'react';
import { apiPaths } from '../../../domain/api-paths.ts';
import { type PostRecord, postAnswer } from '../../../domain/posts/post.ts';
import { keptDays } from '../../../domain/submissions/retention.ts';
import { dayText } from '../../../lib/dates.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded, Notice } from '../../ui/Notice.tsx';
import { formOf, linesOfPost, outcomeOf } from './post-form.ts';
import { PostText, VersionsDialog } from './VersionsDialog.tsx';
import { closePost, isNewPost, useLatest, useTrash } from '../list.ts';
import { showFailure } from '../../lib/act.ts';
import { useSaveKey } from '../../lists/use-list.ts';
import { UnsavedChoices, UnsavedLine } from '../../unsaved/Unsaved.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { useWriting } from './use-writing.ts';
import { KeepDate, PostFields } from './PostFields.tsx';

/**
 * The dialog in which an admin writes a post. Loads the post's latest version from the server, then shows the form.
 */
export default function PostDialog({ id: named }: { id: string }) {
  /** A new post that was saved while the dialog was open. The form stays mounted, so the admin can keep typing. */
  const [created, setCreated] = useState<{ readonly id: string; readonly post: PostRecord } | null>(null);
  const id = named === created?.post.id ? created.id : named;
  const query = useLatest(isNewPost(id) ? null : apiPaths.post(id), postAnswer);
  const post = query.data;

  if (post?.deletedAt) return <TrashedPost post={post} onRestored={() => void query.refetch()} />;
  if (post || isNewPost(id)) {
    return <PostWriting key={id} id={id} post={post ?? null} onCreated={(saved) => setCreated({ id, post: saved })} />;
  }
  return (
    <Dialog title="Edit Blog Post" placement="page" onClose={closePost}>
      <Loaded
        what="this post"
        query={query}
        missing={`The link may be incomplete, or the post was deleted more than ${keptDays.trashedPost} days ago. Search the list for the title.`}
      >
        {() => null}
      </Loaded>
    </Dialog>
  );
}

/** A post in the trash, to read and to restore. */
function TrashedPost({ post, onRestored }: { post: PostRecord; onRestored: () => void }) {
  const { restore } = useTrash(onRestored);
  const end = new Date(Date.parse(post.deletedAt ?? '') + keptDays.trashedPost * 86_400_000).toISOString();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Dialog title="Deleted Blog Post" placement="page" onClose={closePost}>
      <Notice title={`In the trash until ${dayText(end, timeZone)}`}>
        <p>Visitors can’t see this post. To edit the post, restore it first.</p>
        <Button act={restore} input={post} look="primary" icon="undo">
          Restore post
        </Button>
      </Notice>
      <PostText form={formOf(post)} />
    </Dialog>
  );
}

interface PostWritingProps {
  /** The id of the post, or of the unsaved text while the post is new. */
  id: string;
  /** Null for a new post. */
  post: PostRecord | null;
  onCreated: (post: PostRecord) => void;
}

/** The post dialog. Unsaved changes stay when the dialog closes, and continue when it opens again. */
function PostWriting({ id, post: opened, onCreated }: PostWritingProps) {
  const fields = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<'versions' | 'sharing' | null>(null);
  const writer = useWriting(id, opened, onCreated);
  const { post, text, conflict } = writer;

  useSaveKey(fields, writer.save);

  const preview = async () => {
    // Opens the tab before the request. Browsers would block a tab that opens after the request as a pop-up.
    const tab = window.open('', '_blank');
    try {
      const path = await writer.storeForPreview();
      if (tab) tab.location.replace(path);
    } catch (error) {
      tab?.close();
      showFailure('Couldn’t open the preview', error);
    }
  };

  return (
    <Dialog
      title={post ? 'Edit Blog Post' : 'Create New Blog Post'}
      placement="page"
      guarded
      onClose={closePost}
      actions={
        <>
          <Button look="quiet" icon="link" title="Share" onClick={() => startTransition(() => setOpen('sharing'))}>
            Share
          </Button>
          {post && (
            <Button
              look="quiet"
              icon="clock"
              title="Versions"
              onClick={() => startTransition(() => setOpen('versions'))}
            >
              Versions
            </Button>
          )}
        </>
      }
      foot={
        <>
          <UnsavedLine unsaved={writer} />
          <div className="actions">
            <KeepDate writer={writer} />
            <Button icon="outside" onClick={() => void preview()}>
              Preview
            </Button>
            <Button
              look="primary"
              title={`${outcomeOf(text, Boolean(post?.publishedAt), writer.keepsDate)} To save without closing, press Ctrl+S (Cmd+S on a Mac).`}
              onClick={() => void writer.save().then((isSaved) => isSaved && closePost())}
              pending={writer.saving}
              pendingLabel="Saving…"
            >
              {post ? 'Update Post' : 'Create Post'}
            </Button>
          </div>
        </>
      }
    >
      <UnsavedChoices
        noun="post"
        unsaved={writer}
        plainText={(form) => linesOfPost(form).join('\n')}
        onKeepMine={() => void writer.keepMine()}
        trashed={Boolean(conflict?.record?.deletedAt)}
      />
      <PostFields ref={fields} writer={writer} />
      {open === 'versions' && post && (
        <VersionsDialog
          postId={post.id}
          form={text}
          onPut={(version) => {
            setOpen(null);
            writer.putVersion(version);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'sharing' && (
        <ShareDialog id={post?.id ?? id} store={writer.storeForPreview} onClose={() => setOpen(null)} />
      )}
    </Dialog>
  );
}
