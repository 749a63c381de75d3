import type { PostRecord } from '../../../domain/post.ts';
import { postFields } from '../../../domain/post-fields.ts';
import { slugOf } from '../../../domain/slug.ts';
import { type PostForm, emptyForm, formOf, isBlank, missingIn, sameWriting } from '../post-form.ts';
import { type Writing, isOnServerOnly } from './drafts.ts';
import type { Offer } from './offers.ts';

/** Error messages by field name. */
type FieldErrors = Readonly<Record<string, string>>;

/** The post as last saved. */
interface SavedPost {
  /** Null for a post that has never been saved. */
  readonly id: string | null;
  readonly revision: number | undefined;
  /** The draft's key on the server. */
  readonly key: string;
  readonly saved: PostForm;
  /** When the post was last published; null if visitors cannot see the post. */
  readonly publishedAt: string | null;
}

/** The state of the post dialog. `form` contains the text that the admin edits. */
export interface WritingState {
  /** A new id each time the dialog opens, so two dialogs never overwrite each other's drafts. */
  readonly sitting: string;
  readonly base: SavedPost;
  readonly form: PostForm;
  /** Counts how often other text replaced the editor's text: a restored draft, a version, or another admin's text. */
  readonly edition: number;
  /** Whether a change of the title also changes the slug. False after the admin has edited the slug. */
  readonly slugFollows: boolean;
  /** Earlier drafts that the admin can restore. */
  readonly offers: readonly Offer[];
  /** Offers that only the server stores. The form's next draft overwrites an offer that has the same draft key. */
  readonly onServerOnly: readonly Offer[];
  readonly saving: boolean;
  readonly errors: FieldErrors;
  /** The field that prevents saving. Each attempt to save creates a new object, so that effects run again. */
  readonly wrong: { readonly field: string } | null;
  /** The other admin's version, until this admin chooses one of the two versions. */
  readonly conflict: PostRecord | null;
}

export type WritingEvent =
  | { readonly type: 'typed'; readonly change: Partial<PostForm> }
  | { readonly type: 'found'; readonly offers: readonly Offer[] }
  | { readonly type: 'restored'; readonly offer: Offer }
  | { readonly type: 'discarded'; readonly offer: Offer }
  | { readonly type: 'replaced'; readonly form: PostForm }
  /** Returns to an earlier state. */
  | { readonly type: 'undone'; readonly to: WritingState }
  /** `lacksTime`: the post is scheduled, but its time is empty or incomplete. */
  | { readonly type: 'save'; readonly lacksTime: boolean }
  | { readonly type: 'saved'; readonly post: PostRecord; readonly sent: PostForm }
  | { readonly type: 'refused'; readonly errors: FieldErrors }
  | { readonly type: 'conflict'; readonly current: PostRecord }
  | { readonly type: 'read'; readonly current: PostRecord }
  | { readonly type: 'theirs taken' }
  | { readonly type: 'conflict closed' };

/** @param post null for a new post. */
export function beginWriting(post: PostRecord | null, sitting: string): WritingState {
  const base = post
    ? savedPost(post)
    : { id: null, revision: undefined, key: `new-${sitting}`, saved: emptyForm, publishedAt: null };
  return {
    sitting,
    base,
    form: base.saved,
    edition: 0,
    slugFollows: post === null,
    offers: [],
    onServerOnly: [],
    saving: false,
    errors: {},
    wrong: null,
    conflict: null,
  };
}

/** Returns the current text in the format of stored drafts. */
export function writingOf({ base, form, sitting }: WritingState, by: string): Writing {
  return { key: base.key, postId: base.id, revision: base.revision ?? null, form, by, sitting };
}

export const isChanged = ({ form, base }: WritingState): boolean => !sameWriting(form, base.saved);

/** Whether the form has unsaved text, so the dialog asks before it closes. */
export const hasUnsavedText = (state: WritingState): boolean => isChanged(state) && !isBlank(state.form);

/** Returns the state after an event, without side effects. If the event changes nothing, returns the same object. */
export function afterEvent(state: WritingState, event: WritingEvent): WritingState {
  const { base, form } = state;
  switch (event.type) {
    case 'typed': {
      const { title } = event.change;
      const change = state.slugFollows && title !== undefined ? { slug: slugOf(title), ...event.change } : event.change;
      const next = { ...form, ...change };
      const fields = (Object.keys(change) as (keyof PostForm)[]).filter((field) => next[field] !== form[field]);
      if (fields.length === 0) return state;
      const slugFollows = state.slugFollows && event.change.slug === undefined;
      const errors = Object.fromEntries(
        Object.entries(state.errors).filter(([field]) => !(fields as string[]).includes(field)),
      );
      return { ...withForm(state, next), slugFollows, errors };
    }
    case 'found':
      return { ...state, offers: event.offers, onServerOnly: event.offers.filter(isOnServerOnly) };
    case 'restored': {
      const { key, revision, form: restored } = event.offer;
      // A new post takes over the key of the restored draft. A saved post takes over the revision on which the draft is
      // based, so the next save detects later changes by other admins.
      const from = base.id === null ? { key } : { revision: revision ?? undefined };
      return { ...withOtherText({ ...state, base: { ...base, ...from } }, restored), offers: [] };
    }
    case 'discarded':
      return { ...state, offers: state.offers.filter((offer) => offer !== event.offer) };
    case 'replaced':
      return withOtherText(state, event.form);
    case 'undone': {
      const { to } = event;
      const undone = withOtherText({ ...state, base: to.base }, to.form);
      return { ...undone, slugFollows: to.slugFollows, offers: to.offers };
    }
    case 'save': {
      if (state.saving) return state;
      const missing = missingIn(form);
      const errors =
        missing.length === 0 && event.lacksTime
          ? { publishAt: 'Please enter the date and the time.' }
          : Object.fromEntries(missing.map((field) => [field, postFields[field].message]));
      return { ...state, ...withErrors(errors), saving: Object.keys(errors).length === 0 };
    }
    case 'saved': {
      // The server sets these fields. Text typed during the save becomes the next draft.
      const decided = { slug: event.post.slug, publishAt: event.post.publishAt ?? '' };
      return {
        ...state,
        base: { ...savedPost(event.post), saved: { ...event.sent, ...decided } },
        form: sameWriting(form, event.sent) ? { ...form, ...decided } : form,
        slugFollows: false,
        saving: false,
        conflict: null,
      };
    }
    case 'refused': {
      const refused = { ...state, ...withErrors(event.errors), saving: false };
      // Closes the conflict dialog, because the dialog covers the invalid field.
      return refused.wrong ? { ...refused, conflict: null } : refused;
    }
    case 'conflict':
      return { ...state, saving: false, conflict: event.current };
    case 'read':
      // A running save detects the conflict itself.
      return state.saving || event.current.revision === base.revision ? state : { ...state, conflict: event.current };
    case 'theirs taken': {
      if (!state.conflict) return state;
      const theirs = savedPost(state.conflict);
      return { ...withOtherText({ ...state, base: theirs }, theirs.saved), conflict: null };
    }
    case 'conflict closed':
      return { ...state, conflict: null };
  }
}

function savedPost(post: PostRecord): SavedPost {
  return { id: post.id, revision: post.revision, key: post.id, saved: formOf(post), publishedAt: post.publishedAt };
}

/**
 * Sets the form. The form's next draft overwrites the server draft with the same key, so `onServerOnly` no longer
 * contains an offer with that key.
 */
function withForm(state: WritingState, form: PostForm): WritingState {
  return { ...state, form, onServerOnly: state.onServerOnly.filter(({ key }) => key !== state.base.key) };
}

function withOtherText(state: WritingState, form: PostForm): WritingState {
  return { ...withForm(state, form), slugFollows: false, edition: state.edition + 1 };
}

function withErrors(errors: FieldErrors): Pick<WritingState, 'errors' | 'wrong'> {
  const [field] = Object.keys(errors);
  return { errors, wrong: field === undefined ? null : { field } };
}
