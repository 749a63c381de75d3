import { startTransition, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { PostRecord } from '../../../domain/post.ts';
import { showFailure } from '../../lib/act.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { UnsavedChoices } from '../../unsaved/UnsavedChoices.tsx';
import { UnsavedLine } from '../../unsaved/UnsavedLine.tsx';
import { closePost } from '../list.ts';
import { linesOfPost, outcomeOf } from './post-form.ts';
import { VersionsDialog } from './VersionsDialog.tsx';
import { KeepDate } from './PostTime.tsx';
import { PostFields } from './PostFields.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { useWriting } from './use-writing.ts';

interface PostWritingProps {
  /** The id of the post, or of the unsaved text while the post is new. */
  id: string;
  /** Null for a new post. */
  post: PostRecord | null;
  onCreated: (post: PostRecord) => void;
}

/** The post dialog. Unsaved changes stay when the dialog closes, and continue when it opens again. */
export function PostWriting({ id, post: opened, onCreated }: PostWritingProps) {
  const fields = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<'versions' | 'sharing' | null>(null);
  const writer = useWriting(id, opened, onCreated);
  const { post, text, conflict } = writer;

  const saveAndClose = async () => {
    if (await writer.save()) closePost();
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const another = document.querySelectorAll('dialog:modal').length > 1;
    if (!another) void writer.save();
  });
  // Not `useEffect`, which may run only after the admin presses Ctrl+S. The browser would then save the page as a file.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

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
              title={`${outcomeOf(text, Boolean(post?.publishedAt))} To save without closing, press Ctrl+S.`}
              onClick={() => void saveAndClose()}
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
