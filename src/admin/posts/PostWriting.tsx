import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type PostRecord, postAnswer } from '../../domain/post.ts';
import type { PostVersion } from '../../domain/post-version.ts';
import { dayTimeText } from '../../lib/dates.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { useSession } from '../session/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
import { useRequest } from '../ui/signed-in-request.ts';
import { CloseDialog } from './CloseDialog.tsx';
import { ConflictDialog } from './ConflictDialog.tsx';
import { KeepingState } from './KeepingState.tsx';
import { Offers } from './Offers.tsx';
import { PostFields, type PostFieldsHandle } from './PostFields.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { VersionsDialog } from './VersionsDialog.tsx';
import { writeToDevice, writeToServer } from './drafts.ts';
import type { Offer } from './offers.ts';
import { type PostForm, formOf, withVersion } from './post-form.ts';
import { closePost, nameOpenPost, openPost } from './posts-place.ts';
import { useSavePost } from './use-save-post.ts';
import { useWriting } from './use-writing.ts';
import { newPost } from './view.ts';

interface PostWritingProps {
  /** Null for a new post. */
  post: PostRecord | null;
  onCreated: (post: PostRecord) => void;
}

/** The dialog of a post that is being written (spec §2, §4): nothing typed in it is lost, however it is left. */
export function PostWriting({ post, onCreated }: PostWritingProps) {
  const send = useRequest();
  const fields = useRef<PostFieldsHandle>(null);
  const [closing, setClosing] = useState(false);
  const [versionsOpen, setVersionsOpen] = useState(false);
  const [sharing, setSharing] = useState(false);
  const session = useSession();
  const writing = useWriting(post, session.data?.user.email ?? '');
  const { form, base, keep, keeping, changed, savedElsewhere } = writing;
  const saving = useSavePost({
    writing,
    onSaved: (saved, created) => {
      if (!created) return;
      onCreated(saved);
      nameOpenPost(saved.id);
    },
    problems: () => fields.current?.problems() ?? {},
    onWrong: (field) => fields.current?.focus(field),
  });

  /** The post was saved elsewhere: the choice comes up now, and not only at the next save. */
  const lookAgain = useEffectEvent(async () => {
    if (base.id === null || saving.pending) return;
    try {
      const { data } = await send(apiPaths.post(base.id), { schema: postAnswer });
      if (data.revision !== base.revision) saving.setConflict(data);
    } catch {
      // The next save finds out.
    }
  });
  useEffect(() => {
    if (savedElsewhere > 0) void lookAgain();
  }, [savedElsewhere]);

  const saveAndClose = async () => {
    if (await saving.saveNow()) closePost();
  };
  const close = () => {
    if (changed && !writing.isBlank) setClosing(true);
    else {
      void writing.giveUp();
      closePost();
    }
  };
  const throwAway = async () => {
    const written = writing.now();
    const gone = writing.giveUp();
    closePost();
    await gone;
    showToast({
      title: 'Draft discarded',
      action: {
        label: 'Undo',
        onSelect: () => void writeToDevice(written).then(() => openPost(written.postId ?? newPost)),
      },
      durationMs: 10_000,
    });
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const another = document.querySelectorAll('dialog:modal').length > 1;
    if (!another) void saving.saveNow();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  /** Another text is in the form now: the editor shows it, and a notice has the way back. */
  const replaced = (title: string, { content }: PostForm, back: () => void, durationMs = 10_000) => {
    fields.current?.replace(content);
    showToast({
      title,
      action: {
        label: 'Undo',
        onSelect: () => {
          back();
          fields.current?.replace(form.content);
        },
      },
      durationMs,
    });
  };
  const restore = (offer: Offer) => {
    const { offers } = writing;
    const back = writing.restore(offer);
    writing.setOffers([]);
    replaced('Restored what you wrote', offer.form, () => {
      back();
      writing.setOffers(offers);
    });
  };
  const discard = (offer: Offer) => {
    const { offers } = writing;
    writing.setOffers(offers.filter((other) => other !== offer));
    void writing.discard(offer);
    showToast({
      title: 'Draft discarded',
      action: {
        label: 'Undo',
        onSelect: () => {
          writing.setOffers(offers);
          void writeToDevice(offer);
        },
      },
      durationMs: 10_000,
    });
  };
  const takeTheirs = () => {
    const { conflict } = saving;
    if (!conflict) return;
    const theirs = formOf(conflict);
    saving.setConflict(null);
    writing.beginFrom(conflict);
    replaced('Their text is in the form', theirs, writing.adopt(theirs), Infinity);
  };
  const putVersion = (version: PostVersion) => {
    const next = withVersion(form, version);
    setVersionsOpen(false);
    replaced(`The version of ${dayTimeText(version.savedAt)} is in the form`, next, writing.adopt(next));
  };

  const preview = async () => {
    // Opened at once: after a wait the browser would take it for a pop-up.
    const tab = window.open('', '_blank');
    try {
      const path = await writeToServer(writing.now());
      if (tab) tab.location.replace(path);
    } catch (error) {
      tab?.close();
      showToast({ title: 'Could not show the preview', description: errorText(error), variant: 'destructive' });
    }
  };
  const signIn = async () => {
    try {
      await send(apiPaths.authStatus);
      await keep.flush();
    } catch {
      // The draft's status line already shows that nobody is signed in.
    }
  };

  const isNew = base.id === null;
  return (
    <Dialog
      title={isNew ? 'Create New Blog Post' : 'Edit Blog Post'}
      placement="page"
      guarded
      onClose={close}
      actions={
        <>
          <Button look="quiet" icon="link" title="Share" onClick={() => setSharing(true)}>
            Share
          </Button>
          {!isNew && (
            <Button look="quiet" icon="clock" title="Versions" onClick={() => setVersionsOpen(true)}>
              Versions
            </Button>
          )}
        </>
      }
      foot={
        <>
          <KeepingState
            keeping={keeping}
            changed={changed}
            onRetry={() => void keep.flush()}
            onSignIn={() => void signIn()}
          />
          <div className="dialog-actions">
            <Button icon="outside" onClick={() => void preview()}>
              Preview
            </Button>
            <Button
              look="primary"
              title="Ctrl+S saves and goes on"
              onClick={() => void saveAndClose()}
              pending={saving.pending}
              pendingLabel="Saving…"
            >
              {isNew ? 'Create Post' : 'Update Post'}
            </Button>
          </div>
        </>
      }
    >
      <Offers offers={writing.offers} form={form} onRestore={restore} onDiscard={discard} />
      {writing.openElsewhere && (
        <Notice title="This post is open in another tab">
          <p>Write in one of them only: saving in both makes you choose between the two texts.</p>
        </Notice>
      )}
      <PostFields handle={fields} writing={writing} errors={saving.errors} onEdit={saving.forgetError} />
      {saving.conflict && (
        <ConflictDialog
          current={saving.conflict}
          form={form}
          pending={saving.pending}
          onKeepMine={() => void saving.keepMine()}
          onTakeTheirs={takeTheirs}
          onClose={() => saving.setConflict(null)}
        />
      )}
      {versionsOpen && base.id !== null && (
        <VersionsDialog postId={base.id} form={form} onPut={putVersion} onClose={() => setVersionsOpen(false)} />
      )}
      {sharing && (
        <ShareDialog
          draft={base.key}
          keepDraft={() => writeToServer(writing.now())}
          onClose={() => setSharing(false)}
        />
      )}
      {closing && (
        <CloseDialog onKeep={closePost} onDiscard={() => void throwAway()} onStay={() => setClosing(false)} />
      )}
    </Dialog>
  );
}
