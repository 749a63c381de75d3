import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PostRecord } from '../../domain/post.ts';
import { newSubmissionKey } from '../../lib/forms/submission-key.ts';
import { useKeeper } from '../drafts/use-keeper.ts';
import { dropFromDevice, keepOnDevice } from './device-drafts.ts';
import {
  type Writing,
  dropCopies,
  dropFromServer,
  dropStatesOf,
  isOnServerOnly,
  keptFor,
  writeToDevice,
  writeToServer,
} from './drafts.ts';
import { type Offer, offersOf } from './offers.ts';
import { useOtherTabs } from './other-tabs.ts';
import { type PostForm, emptyForm, formOf, isBlank, sameWriting } from './post-form.ts';
import { newPost } from './view.ts';

/** From the first change to the sending of the server's copy. */
const serverDelayMs = 2_000;

/** Time for the other tabs to say that they are there. */
const answerMs = 150;

/** What the writing belongs to; with each save it is another state of the post. */
interface Base {
  readonly id: string | null;
  readonly revision: number | undefined;
  /** The draft's name on the server. */
  readonly key: string;
  readonly saved: PostForm;
  /** When it was published last; null where the public does not see it. */
  readonly publishedAt: string | null;
}

function baseOf(post: PostRecord): Base {
  return { id: post.id, revision: post.revision, key: post.id, saved: formOf(post), publishedAt: post.publishedAt };
}

/**
 * The state of a post that is being written: what the form holds, from which state of the post it began, and where the
 * latest of it is kept.
 * @param post null for a new one. A later value is not looked at: nobody's text changes under their hands.
 * @param by the e-mail address of the admin who writes.
 */
export function useWriting(post: PostRecord | null, by: string) {
  const [sitting] = useState(newSubmissionKey);
  const [base, setBase] = useState<Base>(() =>
    post ? baseOf(post) : { id: null, revision: undefined, key: `new-${sitting}`, saved: emptyForm, publishedAt: null },
  );
  const [form, setForm] = useState(base.saved);
  const [slugFollows, setSlugFollows] = useState(post === null);
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  const { keep, keeping } = useKeeper<Writing>({
    toDevice: writeToDevice,
    toServer: async (writing) => void (await writeToServer(writing)),
    delayMs: serverDelayMs,
  });
  const [savedElsewhere, setSavedElsewhere] = useState(0);
  const tabs = useOtherTabs(sitting, base.id ?? newPost, () => setSavedElsewhere((times) => times + 1));
  // Several changes may come before the next rendering.
  const latest = useRef({ form, base });
  /** Offers of which this browser has no copy of its own. */
  const onServerOnly = useRef<Offer[]>([]);

  const writingOf = () => {
    const { form: written, base: on } = latest.current;
    return { key: on.key, postId: on.id, revision: on.revision ?? null, form: written, by, sitting };
  };
  const rebase = (next: Base) => {
    latest.current.base = next;
    setBase(next);
  };
  const put = (next: PostForm) => {
    // From here on the server's draft is what is written here: what it held before stays in this browser.
    const overwritten = onServerOnly.current.filter(({ key }) => key === latest.current.base.key);
    onServerOnly.current = onServerOnly.current.filter((offer) => !overwritten.includes(offer));
    for (const offer of overwritten) void keepOnDevice(offer).catch(() => undefined);
    latest.current.form = next;
    setForm(next);
    keep.changed(writingOf());
  };

  /** Puts another state into the form. @returns a way back. */
  const adopt = (next: PostForm, from: Partial<Pick<Base, 'key' | 'revision'>> = {}): (() => void) => {
    const before = { ...latest.current, slugFollows };
    rebase({ ...latest.current.base, ...from });
    setSlugFollows(false);
    put(next);
    return () => {
      rebase(before.base);
      setSlugFollows(before.slugFollows);
      put(before.form);
    };
  };

  /** What was written here is saved, or not wanted: nobody is to be offered it again. */
  const settle = async (onServer: boolean) => {
    const { key, id } = latest.current.base;
    const own = { ...writingOf(), savedAt: '' };
    await keep.clear();
    await Promise.all([
      dropFromDevice(own),
      ...(onServer ? [dropFromServer(key)] : []),
      // A new post's earlier states: they belong to no stored post, so nothing else would forget them.
      ...(onServer && id === null ? [dropStatesOf(key, by, tabs.openings())] : []),
    ]);
  };

  const look = useEffectEvent(async () => {
    await new Promise((done) => setTimeout(done, answerMs));
    const written = new Set([...tabs.openings(), sitting]);
    const found = offersOf(await keptFor(base.id, by, written), latest.current.base.saved, written);
    onServerOnly.current = found.filter(isOnServerOnly);
    setOffers(found);
  });
  useEffect(() => {
    void look();
  }, []);

  return {
    form,
    base,
    keeping,
    keep,
    offers,
    slugFollows,
    changed: !sameWriting(form, base.saved),
    /** How often another tab has saved the post since this one opened it. */
    savedElsewhere,
    openElsewhere: base.id !== null && tabs.count > 0,
    /** What is written at this moment, for a save or a preview. */
    now: writingOf,
    change: (patch: Partial<PostForm>): void => put({ ...latest.current.form, ...patch }),
    editSlug: () => setSlugFollows(false),
    adopt,
    /** The post as it is on the server now is what further saves begin from. */
    beginFrom: (current: PostRecord) => rebase(baseOf(current)),
    setOffers,
    /** A state was stored: it is no draft any more. What was typed since goes on as one. */
    async stored(record: PostRecord, sent: PostForm): Promise<void> {
      const { id } = latest.current.base;
      const since = latest.current.form;
      const untouched = sameWriting(since, sent);
      const settled = settle(true);
      const decided = { slug: record.slug, publishAt: record.publishAt ?? '' };
      rebase({ ...baseOf(record), saved: { ...sent, ...decided } });
      setSlugFollows(false);
      if (untouched) {
        latest.current.form = { ...since, ...decided };
        setForm(latest.current.form);
      }
      if (id !== null) tabs.tellSaved();
      await settled;
      if (!sameWriting(latest.current.form, latest.current.base.saved)) keep.changed(writingOf());
    },
    /** Gives up what was written since the last save. */
    giveUp: () => settle(keep.state().server !== 'nothing'),
    /** Puts earlier writing into the form. @returns a way back. */
    restore(offer: Offer): () => void {
      const { id } = latest.current.base;
      const back = adopt(offer.form, id === null ? { key: offer.key } : { revision: offer.revision ?? undefined });
      // The form holds it now, and is kept itself: another offer of the same words would come with each restore.
      const replaced = writeToDevice(writingOf()).then(
        () => dropCopies(offer.form, id, by, new Set([...tabs.openings(), sitting])),
        () => undefined,
      );
      return () => {
        back();
        void replaced.then(() => keepOnDevice(offer)).catch(() => undefined);
      };
    },
    /** Forgets earlier writing for good. */
    async discard(offer: Offer): Promise<void> {
      const { base: on } = latest.current;
      await dropCopies(offer.form, on.id, by, tabs.openings());
      // The server's draft may be what is being written here by now.
      if (offer.key !== on.key || keep.state().server === 'nothing') await dropFromServer(offer.key);
    },
    isBlank: isBlank(form),
  };
}

export type WritingState = ReturnType<typeof useWriting>;
