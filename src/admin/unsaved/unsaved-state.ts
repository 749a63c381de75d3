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

export function opened<T extends Text, R>(saved: Saved<T>): UnsavedState<T, R> {
  const { text, version } = saved;
  return {
    saved,
    text,
    base: version,
    edition: 0,
    offer: null,
    saving: false,
    errors: {},
    wrong: null,
    conflict: null,
  };
}

export const sameText = (one: Text, other: Text): boolean =>
  Object.keys(one).every((field) => one[field]?.trim() === other[field]?.trim());

export const isChanged = ({ text, saved }: { text: Text; saved: { text: Text } }): boolean =>
  !sameText(text, saved.text);

/** Other text replaces the editor's text: a version, the default text, an offer, or the saved text. */
export function withText<T extends Text, R>(state: UnsavedState<T, R>, text: T): UnsavedState<T, R> {
  return { ...state, text, edition: state.edition + 1, errors: {} };
}

/** The admin typed. Clears the errors of the changed fields. If nothing changes, returns the same object. */
export function typed<T extends Text, R>(state: UnsavedState<T, R>, change: Partial<T>): UnsavedState<T, R> {
  const text = { ...state.text, ...change };
  const fields = Object.keys(change).filter((field) => text[field] !== state.text[field]);
  if (fields.length === 0) return state;
  const errors = Object.entries(state.errors).filter(([field]) => !fields.includes(field));
  return { ...state, text, errors: Object.fromEntries(errors) };
}

/** The record was read again, for example with its list. Typed text keeps its base, so the next save is a conflict. */
export function readAgain<T extends Text, R>(state: UnsavedState<T, R>, saved: Saved<T>): UnsavedState<T, R> {
  if (isChanged(state) || state.saving || saved.version === state.saved.version) return state;
  return withSaved(state, saved);
}

/** Shows a newer saved version. */
export function withSaved<T extends Text, R>(state: UnsavedState<T, R>, saved: Saved<T>): UnsavedState<T, R> {
  return { ...withText(state, saved.text), saved, base: saved.version, conflict: null };
}

/** Stored changes were found. They continue if they are the admin's own and started from the saved version. */
export function found<T extends Text, R>(state: UnsavedState<T, R>, copy: Copy<T>): UnsavedState<T, R> {
  if (sameText(state.saved.text, copy.text)) return { ...state, offer: copy.older };
  const continues = copy.by === null && copy.base === state.saved.version && !isChanged(state);
  return continues ? { ...withText(state, copy.text), offer: copy.older } : { ...state, offer: copy };
}

export function offerTaken<T extends Text, R>(state: UnsavedState<T, R>): UnsavedState<T, R> {
  const { offer } = state;
  return offer ? { ...withText(state, offer.text), base: offer.base, offer: offer.older } : state;
}

/** The text of an earlier state returns. After a later save or conflict, the base stays the newer version. */
export function undone<T extends Text, R>(state: UnsavedState<T, R>, to: UnsavedState<T, R>): UnsavedState<T, R> {
  const base = state.saved === to.saved ? to.base : state.base;
  return { ...withText(state, to.text), base, offer: to.offer };
}

/** A save ended. Text that was typed during the save stays unsaved. */
export function afterSave<T extends Text, R>(state: UnsavedState<T, R>, saved: Saved<T>, sent: T): UnsavedState<T, R> {
  const text = sameText(state.text, sent) ? saved.text : state.text;
  return { ...state, saved, text, base: saved.version, saving: false, conflict: null };
}

/** Errors prevent a save. Closes the choice of a conflict, because its dialog covers the invalid field. */
export function refused<T extends Text, R>(state: UnsavedState<T, R>, errors: FieldErrors): UnsavedState<T, R> {
  const [field] = Object.keys(errors);
  const wrong = field === undefined ? null : { field };
  return { ...state, errors, wrong, saving: false, conflict: wrong ? null : state.conflict };
}
