import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { showToast } from '../../lib/toast/toast.ts';
import { useKeeper } from '../drafts/use-keeper.ts';
import { useSession } from '../session/queries.ts';
import { errorText } from '../lib/error-text.ts';
import { undo } from '../lib/undo.ts';
import type { Submission } from './kinds.ts';
import { type NoteDraft, noteDrafts } from './note-drafts.ts';
import { useNote } from './queries.ts';

/** Manages the unsaved note of a submission. This browser stores every change until the note is saved or discarded. */
export function useNoteWriting(submission: Submission) {
  const { id, reference, note: saved } = submission;
  const by = useSession().data?.user.email ?? '';
  const { keep, keeping } = useKeeper<NoteDraft>({ toDevice: noteDrafts.keep });
  const [draft, setDraft] = useState<NoteDraft | null>(null);
  // A ref, because several changes may occur before the next render.
  const latest = useRef<NoteDraft | null>(null);

  const put = (next: NoteDraft) => {
    latest.current = next;
    setDraft(next);
    keep.changed(next);
  };
  const forget = async (gone: NoteDraft) => {
    latest.current = null;
    setDraft(null);
    await keep.clear();
    // Text typed during `clear` is stored under the same key and must not be deleted.
    if (latest.current === null) await noteDrafts.drop(gone);
  };

  const look = useEffectEvent(async () => {
    const kept = (await noteDrafts.all()).find((one) => one.id === id && one.by === by);
    if (!kept || latest.current) return;
    if (kept.text.trim() === saved) await noteDrafts.drop(kept);
    else put(kept);
  });
  useEffect(() => {
    void look();
  }, []);

  const save = useNote({
    onSaved: (note, sent) => {
      const { current } = latest;
      if (current && current.text !== sent) put({ ...current, was: note });
      else if (current) void forget(current);
    },
    // The note's field shows a conflict, so no toast is needed.
    onError: (error, conflict) => {
      if (!conflict)
        showToast({ title: 'Couldn’t save the note', description: errorText(error), variant: 'destructive' });
    },
  });

  return {
    text: draft?.text ?? saved,
    changed: draft !== null && draft.text.trim() !== saved,
    /** Whether another admin saved the note after this admin started writing. */
    conflict: draft !== null && draft.was !== saved && draft.text.trim() !== saved,
    /** Whether this browser cannot store the note. Leaving the page would then lose the note. */
    unkept: keeping.device === 'failed',
    saving: save.isPending,
    change(text: string): void {
      const next = { id, reference, by, text, was: draft?.was ?? saved, savedAt: new Date().toISOString() };
      if (text === saved) void forget(next);
      else put(next);
    },
    /** Saves the note. If another admin's note is shown above the field, overwrites that note. */
    save(): void {
      if (draft && draft.text.trim() !== saved && !save.isPending)
        save.mutate({ submission, note: draft.text, was: saved });
    },
    discard: (): void => {
      if (!draft) return;
      const discarded = draft;
      void forget(discarded);
      showToast({
        title: 'Unsaved note discarded',
        ...undo(() => put(discarded)),
      });
    },
  };
}
