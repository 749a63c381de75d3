import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { PostRecord } from '../../../domain/post.ts';
import { showToast } from '../../../lib/toast/toast.ts';
import { errorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { closePost } from '../list/list.ts';
import { Comparison } from '../versions/Comparison.ts';
import { VersionsDialog } from '../versions/VersionsDialog.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { ConflictDialog } from './ConflictDialog.tsx';
import { KeepingState } from './KeepingState.tsx';
import { Offers } from './Offers.tsx';
import { PostFields } from './PostFields.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { outcomeOf } from './schedule.ts';
import { useWriting } from './use-writing.ts';

interface PostWritingProps {
  /** Null for a new post. */
  post: PostRecord | null;
  onCreated: (post: PostRecord) => void;
}

/**
 * The post dialog. If the admin leaves the dialog without saving, a draft of the text stays on this device, unless the
 * admin discards the draft.
 */
export function PostWriting({ post, onCreated }: PostWritingProps) {
  const fields = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<'closing' | 'versions' | 'sharing' | null>(null);
  const writer = useWriting(post, onCreated);
  const { base, form, conflict } = writer;

  /** Whether the post is scheduled but its time is empty or incomplete. Only the field knows about such a time. */
  const lacksTime = () =>
    fields.current?.querySelector<HTMLInputElement>('[name="publishAt"]')?.validity.valid === false;
  const save = () => writer.save(lacksTime());
  const saveAndClose = async () => {
    if (await save()) closePost();
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const another = document.querySelectorAll('dialog:modal').length > 1;
    if (!another) void save();
  });
  // Not `useEffect`, which may run only after the admin presses Ctrl+S. The browser would then save the page as a file.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  useEffect(() => {
    // If the code cannot be loaded now, opening a comparison loads the code again.
    Comparison.load().catch(() => undefined);
  }, []);

  const preview = async () => {
    // Opens the tab before the request. Browsers would block a tab that opens after the request as a pop-up.
    const tab = window.open('', '_blank');
    try {
      const path = await writer.keepOnServer();
      if (tab) tab.location.replace(path);
    } catch (error) {
      tab?.close();
      showToast({ title: 'Couldn’t open the preview', description: errorText(error), variant: 'destructive' });
    }
  };

  const isNew = base.id === null;
  return (
    <Dialog
      title={isNew ? 'Create New Blog Post' : 'Edit Blog Post'}
      placement="page"
      guarded
      onClose={() => {
        if (!writer.close()) setOpen('closing');
      }}
      actions={
        <>
          <Button look="quiet" icon="link" title="Share" onClick={() => startTransition(() => setOpen('sharing'))}>
            Share
          </Button>
          {!isNew && (
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
          <KeepingState
            keeping={writer.keeping}
            changed={writer.changed}
            onRetry={writer.retry}
            onSignIn={() => void writer.signIn()}
          />
          <div className="actions">
            <Button icon="outside" onClick={() => void preview()}>
              Preview
            </Button>
            <Button
              look="primary"
              title={`${outcomeOf(form, base.publishedAt !== null)} To save without closing, press Ctrl+S.`}
              onClick={() => void saveAndClose()}
              pending={writer.saving}
              pendingLabel="Saving…"
            >
              {isNew ? 'Create Post' : 'Update Post'}
            </Button>
          </div>
        </>
      }
    >
      <Offers offers={writer.offers} form={form} onRestore={writer.restore} onDiscard={writer.discard} />
      {writer.openElsewhere && (
        <Notice title="This post is open in another tab">
          <p>Edit the post in one tab only. If you save in both tabs, you’ll have to choose between two versions.</p>
        </Notice>
      )}
      <PostFields ref={fields} writer={writer} />
      {conflict && (
        <ConflictDialog
          current={conflict}
          form={form}
          pending={writer.saving}
          onKeepMine={() => void writer.keepMine(conflict, lacksTime())}
          onTakeTheirs={writer.takeTheirs}
          onClose={writer.closeConflict}
        />
      )}
      {open === 'versions' && base.id !== null && (
        <VersionsDialog
          postId={base.id}
          form={form}
          onPut={(version) => {
            setOpen(null);
            writer.putVersion(version);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'sharing' && (
        <ShareDialog draft={base.key} keepDraft={() => writer.keepOnServer()} onClose={() => setOpen(null)} />
      )}
      {open === 'closing' && (
        <CloseDialog onKeep={closePost} onDiscard={() => void writer.throwAway()} onStay={() => setOpen(null)} />
      )}
    </Dialog>
  );
}
