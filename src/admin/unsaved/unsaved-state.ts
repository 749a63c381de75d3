/** The fields of an editor, complete or not. */
export type Text = Readonly<Record<string, string>>;

/** Error messages by field name. */
export type FieldErrors = Readonly<Record<string, string>>;

/** A saved record, as an editor shows it. */
export interface Saved<T extends Text> {
  /** Changes with each save; null for a record that has never been saved. */
  readonly version: string | null;
  readonly text: T;
}

/** Stored unsaved changes. */
export interface Copy<T extends Text> {
  /** The version of the record from which the changes started. */
  readonly base: string | null;
  readonly text: T;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  /** The email address of another admin; null for the admin's own changes. */
  readonly by: string | null;
  /** Earlier changes of the same admin that were offered and not decided yet. */
  readonly older: Copy<T> | null;
}

/** The state of an editor. `text` is what the admin sees and changes. */
export interface UnsavedState<T extends Text, R> {
  readonly saved: Saved<T>;
  readonly text: T;
  /** The version that the next save replaces. A later version on the server is a conflict. */
  readonly base: string | null;
  /** Counts how often other text replaced the editor's text. */
  readonly edition: number;
  /** Changes that are not in the editor, because the saved version or the author differs. */
  readonly offer: Copy<T> | null;
  readonly saving: boolean;
  readonly errors: FieldErrors;
  /** The field that prevents saving. Each attempt to save creates a new object, so that effects run again. */
  readonly wrong: { readonly field: string } | null;
  /** The other admin's version, until this admin chooses one of the two versions. */
  readonly conflict: { readonly record: R; readonly saved: Saved<T> } | null;
}

export type UnsavedEvent<T extends Text, R> =
  | { readonly type: 'typed'; readonly change: Partial<T> }
  /** The record was read again, for example with its list. */
  | { readonly type: 'read'; readonly saved: Saved<T> }
  | { readonly type: 'found'; readonly copy: Copy<T> }
  | { readonly type: 'offer taken' }
  | { readonly type: 'offer dismissed' }
  /** Other text replaces the editor's text: a version, the default text, or the saved text. */
  | { readonly type: 'replaced'; readonly text: T }
  | { readonly type: 'undone'; readonly to: UnsavedState<T, R> }
  | { readonly type: 'save'; readonly errors: FieldErrors }
  | { readonly type: 'saved'; readonly saved: Saved<T>; readonly sent: T }
  | { readonly type: 'refused'; readonly errors: FieldErrors }
  | { readonly type: 'conflict'; readonly record: R; readonly saved: Saved<T> }
  | { readonly type: 'theirs taken' }
  | { readonly type: 'conflict closed' };

export function opened<T extends Text, R>(saved: Saved<T>): UnsavedState<T, R> {
  const { text, version } = saved;
  const calm = { offer: null, saving: false, errors: {}, wrong: null, conflict: null };
  return { saved, text, base: version, edition: 0, ...calm };
}

export const sameText = (one: Text, other: Text): boolean =>
  Object.keys(one).every((field) => one[field]?.trim() === other[field]?.trim());

export const isChanged = ({ text, saved }: { text: Text; saved: { text: Text } }): boolean =>
  !sameText(text, saved.text);

/** Returns the state after an event, without side effects. If the event changes nothing, returns the same object. */
export function afterEvent<T extends Text, R>(
  state: UnsavedState<T, R>,
  event: UnsavedEvent<T, R>,
): UnsavedState<T, R> {
  const { saved, text } = state;
  const withText = (next: T) => ({ ...state, text: next, edition: state.edition + 1, errors: {} });
  switch (event.type) {
    case 'typed': {
      const next = { ...text, ...event.change };
      const fields = Object.keys(event.change).filter((field) => next[field] !== text[field]);
      if (fields.length === 0) return state;
      const errors = Object.entries(state.errors).filter(([field]) => !fields.includes(field));
      return { ...state, text: next, errors: Object.fromEntries(errors) };
    }
    case 'read':
      // Typed text keeps its base, so the next save finds the conflict.
      if (isChanged(state) || state.saving || event.saved.version === saved.version) return state;
      return { ...withText(event.saved.text), saved: event.saved, base: event.saved.version };
    case 'found': {
      const { copy } = event;
      if (sameText(saved.text, copy.text)) return { ...state, offer: copy.older };
      const continues = copy.by === null && copy.base === saved.version && !isChanged(state);
      return continues ? { ...withText(copy.text), offer: copy.older } : { ...state, offer: copy };
    }
    case 'offer taken':
      if (!state.offer) return state;
      return { ...withText(state.offer.text), base: state.offer.base, offer: state.offer.older };
    case 'offer dismissed':
      return { ...state, offer: null };
    case 'replaced':
      return withText(event.text);
    case 'undone': {
      const { to } = event;
      // After a save, or after the other admin's version was taken, the base stays the newer version.
      const base = saved === to.saved ? to.base : state.base;
      return { ...withText(to.text), base, offer: to.offer };
    }
    case 'save':
      if (state.saving) return state;
      return { ...state, ...withErrors(event.errors), saving: Object.keys(event.errors).length === 0 };
    case 'saved':
      // Text that was typed during the save stays unsaved.
      return {
        ...state,
        saved: event.saved,
        text: sameText(text, event.sent) ? event.saved.text : text,
        base: event.saved.version,
        saving: false,
        conflict: null,
      };
    case 'refused': {
      const refused = { ...state, ...withErrors(event.errors), saving: false };
      // Closes the conflict dialog, because the dialog covers the invalid field.
      return refused.wrong ? { ...refused, conflict: null } : refused;
    }
    case 'conflict':
      return { ...state, saving: false, conflict: { record: event.record, saved: event.saved } };
    case 'theirs taken': {
      if (!state.conflict) return state;
      const theirs = state.conflict.saved;
      return { ...withText(theirs.text), saved: theirs, base: theirs.version, conflict: null };
    }
    case 'conflict closed':
      return { ...state, conflict: null };
  }
}

function withErrors(errors: FieldErrors): Pick<UnsavedState<Text, unknown>, 'errors' | 'wrong'> {
  const [field] = Object.keys(errors);
  return { errors, wrong: field === undefined ? null : { field } };
}
