import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { apiPaths } from '../../../domain/api-paths.ts';
import { type PostRecord, postAnswer, postRecord } from '../../../domain/post.ts';
import { postPath } from '../../../domain/post-text.ts';
import type { PostVersion } from '../../../domain/post-version.ts';
import { ApiError } from '../../../lib/api.ts';
import { dayTimeText, zonedTimeText } from '../../../lib/dates.ts';
import { newSubmissionKey } from '../../../lib/forms/submission-key.ts';
import { showToast } from '../../../lib/toast/toast.ts';
import { useKeeper } from '../../drafts/use-keeper.ts';
import { errorText } from '../../lib/error-text.ts';
import { publicPage } from '../../lib/public-page.ts';
import { useRequest } from '../../lib/signed-in-request.ts';
import { useSession } from '../../session/queries.ts';
import { type PostForm, withVersion } from '../post-form.ts';
import { closePost, nameOpenPost, newPost, openPost } from '../list/list.ts';
import { useReadPost } from '../list/queries.ts';
import { useSave } from '../queries.ts';
import { dropFromDevice, keepOnDevice } from './device-drafts.ts';
import {
  type Writing,
  dropCopies,
  dropFromServer,
  dropStatesOf,
  keptFor,
  writeToDevice,
  writeToServer,
} from './drafts.ts';
import { type Offer, offersOf } from './offers.ts';
import { useOtherTabs } from './other-tabs.ts';
import {
  type WritingEvent,
  type WritingState,
  afterEvent,
  beginWriting,
  hasUnsavedText,
  isChanged,
  writingOf,
} from './writing-state.ts';

/** The delay from the first change to the upload of the draft, in milliseconds. */
const serverDelayMs = 2_000;

/** How long to wait for replies from other tabs, in milliseconds. */
const answerMs = 150;

/**
 * Manages the form of a post. Every event changes the state through {@link afterEvent}. Every change of the form is
 * stored as a draft.
 * @param post null for a new post. Later values are ignored, so the text does not change while the admin edits it.
 */
export function useWriting(post: PostRecord | null, onCreated: (post: PostRecord) => void) {
  const send = useRequest();
  const readPost = useReadPost();
  const store = useSave();
  const by = useSession().data?.user.email ?? '';
  const [state, setState] = useState(() => beginWriting(post, newSubmissionKey()));
  // A ref, because several events may occur before the next render.
  const latest = useRef(state);
  const { keep, keeping } = useKeeper<Writing>({
    toDevice: writeToDevice,
    toServer: async (writing) => void (await writeToServer(writing)),
    delayMs: serverDelayMs,
  });
  const tabs = useOtherTabs(state.sitting, state.base.id ?? newPost, () => void readAgain());
  const openings = () => new Set([...tabs.openings(), state.sitting]);
  const now = () => writingOf(latest.current, by);

  const dispatch = (event: WritingEvent): WritingState => {
    const before = latest.current;
    const next = afterEvent(before, event);
    latest.current = next;
    setState(next);
    if (event.type !== 'saved' && next.form !== before.form) {
      const overwritten = before.onServerOnly.filter((offer) => !next.onServerOnly.includes(offer));
      for (const offer of overwritten) void keepOnDevice(offer).catch(() => undefined);
      keep.changed(now());
    }
    return next;
  };

  const look = useEffectEvent(async () => {
    await new Promise((done) => setTimeout(done, answerMs));
    const kept = await keptFor(state.base.id, by, openings());
    dispatch({ type: 'found', offers: offersOf(kept, latest.current.base.saved, openings()) });
  });
  useEffect(() => {
    void look();
  }, []);

  /** Fetches the post after another tab saved it, so the conflict dialog opens now instead of at the next save. */
  async function readAgain() {
    const { id } = latest.current.base;
    if (id === null) return;
    try {
      dispatch({ type: 'read', current: await readPost(id) });
    } catch {
      // The post could not be fetched. The next save will find that the other tab has changed the post.
    }
  }

  /** Deletes the drafts of a text that was saved or discarded, so the text is not offered again. */
  const forget = async (gone: Writing, onServer: boolean) => {
    await keep.clear();
    await Promise.all([
      dropFromDevice({ ...gone, savedAt: '' }),
      ...(onServer ? [dropFromServer(gone.key)] : []),
      // A restored draft keeps its key, so other drafts of this new post may have the same key. Deletes them too.
      ...(onServer && gone.postId === null ? [dropStatesOf(gone.key, by, tabs.openings())] : []),
    ]);
  };
  const giveUp = () => forget(now(), keep.state().server !== 'nothing');

  const saved = async (current: PostRecord, sent: PostForm) => {
    const { id, saved: before } = latest.current.base;
    showToast({
      title: id === null ? 'Blog post created successfully!' : 'Blog post updated successfully!',
      ...(current.publishAt !== null
        ? { description: `The site will publish the post on ${zonedTimeText(current.publishAt)}.` }
        : current.status === 'published'
          ? publicPage(postPath(current.slug), 'server')
          : before.status === 'published' && { description: 'The post is off the blog.' }),
    });
    const forgotten = forget(now(), true);
    dispatch({ type: 'saved', post: current, sent });
    if (id !== null) tabs.tellSaved();
    await forgotten;
    if (isChanged(latest.current)) keep.changed(now());
    if (id !== null) return;
    onCreated(current);
    nameOpenPost(current.id);
  };

  /** @param revision returns the revision to overwrite; by default, the revision that the admin opened. */
  const save = async (lacksTime: boolean, revision?: () => Promise<number>): Promise<boolean> => {
    if (latest.current.saving) return false;
    const { base, form, saving, errors, wrong } = dispatch({ type: 'save', lacksTime });
    const failed = base.id === null ? 'Failed to create blog post' : 'Failed to update blog post';
    if (!saving) {
      const timeIsMissing = wrong?.field === 'publishAt';
      showToast({
        title: timeIsMissing ? failed : 'Please fill in all required fields',
        description: timeIsMissing ? errors['publishAt'] : undefined,
        variant: 'destructive',
      });
      return false;
    }
    try {
      const over = revision ? await revision() : base.revision;
      await saved(await store.mutateAsync({ id: base.id, form, revision: over, key: base.key }), form);
      return true;
    } catch (error) {
      const refusal = error instanceof ApiError ? error : undefined;
      const current = postRecord.safeParse(refusal?.current);
      if (current.success) dispatch({ type: 'conflict', current: current.data });
      else {
        dispatch({ type: 'refused', errors: refusal?.errors ?? {} });
        showToast({ title: failed, description: errorText(error), variant: 'destructive' });
      }
      return false;
    }
  };

  const restore = (offer: Offer) => {
    const before = latest.current;
    const { base } = dispatch({ type: 'restored', offer });
    // Stores the restored text as the form's own draft, then deletes the older copies. Otherwise, the admin would be
    // offered these copies again.
    const replaced = writeToDevice(now()).then(
      () => dropCopies(offer.form, base.id, by, openings()),
      () => undefined,
    );
    undoable('Unsaved changes restored', () => {
      dispatch({ type: 'undone', to: before });
      void replaced.then(() => keepOnDevice(offer)).catch(() => undefined);
    });
  };

  const discard = (offer: Offer) => {
    const { offers, base } = latest.current;
    dispatch({ type: 'discarded', offer });
    void dropCopies(offer.form, base.id, by, tabs.openings()).then(() => {
      // If the offer and the form have the same draft key, the form may have overwritten the offer on the server. The
      // server's draft then contains the admin's current text and must stay.
      const isOurs = offer.key === latest.current.base.key && keep.state().server !== 'nothing';
      return isOurs ? undefined : dropFromServer(offer.key);
    });
    undoable('Changes discarded', () => {
      dispatch({ type: 'found', offers });
      void writeToDevice(offer);
    });
  };

  const throwAway = async () => {
    const written = now();
    const gone = giveUp();
    closePost();
    await gone;
    undoable('Changes discarded', () => void writeToDevice(written).then(() => openPost(written.postId ?? newPost)));
  };

  return {
    ...state,
    keeping,
    changed: isChanged(state),
    openElsewhere: state.base.id !== null && tabs.count > 0,
    edit: (change: Partial<PostForm>) => void dispatch({ type: 'typed', change }),
    restore,
    discard,
    save,
    /** Overwrites the other admin's version; a deleted post is restored first. */
    keepMine: ({ id, deletedAt, revision }: PostRecord, lacksTime: boolean) =>
      save(lacksTime, async () => {
        if (deletedAt === null) return revision;
        return (await send(apiPaths.restorePost(id), { method: 'POST', schema: postAnswer })).data.revision;
      }),
    takeTheirs: () => {
      const mine = latest.current;
      const { base } = dispatch({ type: 'theirs taken' });
      undoable('You loaded their version', () => dispatch({ type: 'undone', to: { ...mine, base } }), Infinity);
    },
    closeConflict: () => void dispatch({ type: 'conflict closed' }),
    putVersion(version: PostVersion) {
      const to = latest.current;
      dispatch({ type: 'replaced', form: withVersion(to.form, version) });
      undoable(`You loaded the version of ${dayTimeText(version.savedAt)}. Save the post to keep it`, () =>
        dispatch({ type: 'undone', to }),
      );
    },
    /**
     * Closes the dialog and deletes its draft, if the form has no unsaved text.
     * @returns false if the form has unsaved text. The dialog then stays open, and the caller asks whether to keep
     * or discard the text.
     */
    close(): boolean {
      if (hasUnsavedText(latest.current)) return false;
      void giveUp();
      closePost();
      return true;
    },
    throwAway,
    /**
     * Saves the draft on the server, unless the form equals the saved post.
     * @returns the path of the preview.
     */
    async keepOnServer(): Promise<string> {
      const { base } = latest.current;
      const isSaved = base.id !== null && !isChanged(latest.current);
      return isSaved ? `/blog/preview/${base.key}?saved` : await writeToServer(now());
    },
    retry: () => void keep.flush(),
    async signIn() {
      try {
        await send(apiPaths.authStatus);
        await keep.flush();
      } catch {
        // The status line already shows that the session ended.
      }
    },
  };
}

export type Writer = ReturnType<typeof useWriting>;

/** Shows a toast with an Undo button. */
function undoable(title: string, onSelect: () => void, durationMs = 10_000): void {
  showToast({ title, action: { label: 'Undo', onSelect }, durationMs });
}
