import { describe, expect, test } from 'vitest';
import { type Copy, type UnsavedEvent, type UnsavedState, afterEvent, isChanged, opened } from './unsaved-state.ts';

interface Words extends Record<string, string> {
  title: string;
  content: string;
}
type State = UnsavedState<Words, string>;

const saved = { version: '3', text: { title: 'Closing', content: 'First words.' } };
const mine = { content: 'First words. Mine.' };
const theirs = { version: '4', text: { title: 'Closing', content: 'Theirs.' } };
const earlier = { title: 'Closing', content: 'Earlier words.' };
const copy = (changes: Partial<Copy<Words>> = {}): Copy<Words> => ({
  base: '3',
  text: earlier,
  by: null,
  older: null,
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...changes,
});

const after = (state: State, ...events: readonly UnsavedEvent<Words, string>[]): State =>
  events.reduce<State>(afterEvent, state);
const begun = (): State => opened(saved);
const written = () => after(begun(), { type: 'typed', change: mine });
const conflict = { type: 'conflict', record: 'theirs', saved: theirs } as const;

describe('Typed text', () => {
  test('is a change, unless it equals the text in the form or the saved text', () => {
    expect(isChanged(begun())).toBe(false);
    const state = written();
    expect(isChanged(state)).toBe(true);
    expect(after(state, { type: 'typed', change: mine })).toBe(state);
    expect(isChanged(after(state, { type: 'typed', change: { content: 'First words. ' } }))).toBe(false);
  });

  test('clears only the error of its own field', () => {
    const state = after(begun(), { type: 'save', errors: { title: 'Missing', content: 'Missing' } });
    expect(after(state, { type: 'typed', change: { content: 'a' } }).errors).toEqual({ title: 'Missing' });
  });

  test('keeps its base when the record is read again; an unchanged form shows the newer record', () => {
    const read = { type: 'read', saved: theirs } as const;
    expect(after(begun(), read)).toMatchObject({ text: theirs.text, base: '4', edition: 1 });
    const state = written();
    expect(after(state, read)).toBe(state);
  });
});

describe('Unsaved changes that were stored', () => {
  test('continue if they are the admin’s own and the saved version is the same', () => {
    expect(after(begun(), { type: 'found', copy: copy() })).toMatchObject({ text: earlier, offer: null, edition: 1 });
  });

  test.each([
    ['the saved version changed meanwhile', copy({ base: '2' }), begun()],
    ['they are a colleague’s', copy({ by: 'b@firm.example' }), begun()],
    ['the admin has typed already', copy(), written()],
  ])('are offered if %s, and the form stays as it is', (_why, found, state) => {
    expect(after(state, { type: 'found', copy: found })).toMatchObject({ text: state.text, offer: found, edition: 0 });
  });

  test('are ignored if they equal the saved text', () => {
    expect(after(begun(), { type: 'found', copy: copy({ text: saved.text }) }).offer).toBeNull();
  });

  test('bring along earlier changes that were offered and not decided', () => {
    const older = copy({ base: '1', text: { ...earlier, title: 'Even earlier' } });
    const state = after(begun(), { type: 'found', copy: copy({ older }) });
    expect(state).toMatchObject({ text: earlier, offer: older });
  });

  test('that were offered replace the text with their own base, and the admin can go back', () => {
    const before = after(written(), { type: 'found', copy: copy({ base: '2' }) });
    const taken = after(before, { type: 'offer taken' });
    // The next save sends the version from which the changes started, so the server finds the conflict.
    expect(taken).toMatchObject({ text: earlier, base: '2', offer: null, edition: 1 });
    const back = after(taken, { type: 'undone', to: before });
    expect(back).toMatchObject({ text: before.text, base: '3', offer: before.offer, edition: 2 });
    expect(after(before, { type: 'offer dismissed' }).offer).toBeNull();
  });
});

describe('A save', () => {
  const sending = () => after(written(), { type: 'save', errors: {} });

  test('does not start with errors, and moves the focus to the first field with one', () => {
    const state = after(written(), { type: 'save', errors: { title: 'Missing', content: 'Missing' } });
    expect(state).toMatchObject({ saving: false, wrong: { field: 'title' } });
  });

  test('does not start again while one is running', () => {
    const state = sending();
    expect(after(state, { type: 'save', errors: {} })).toBe(state);
  });

  test('leaves no unsaved changes, and shows what the server changed', () => {
    const state = sending();
    const stored = { version: '4', text: { ...state.text, title: 'Closing the books' } };
    const done = after(state, { type: 'saved', saved: stored, sent: state.text });
    expect(done).toMatchObject({ saving: false, base: '4', text: stored.text });
    expect(isChanged(done)).toBe(false);
  });

  test('keeps text typed during the save as unsaved', () => {
    const state = sending();
    const more = { content: 'First words. Mine. More.' };
    const stored = { version: '4', text: state.text };
    const done = after(state, { type: 'typed', change: more }, { type: 'saved', saved: stored, sent: state.text });
    expect(done).toMatchObject({ text: more, base: '4' });
    expect(isChanged(done)).toBe(true);
  });

  test('that is refused shows errors at the fields, and keeps the typed text', () => {
    const state = after(
      written(),
      conflict,
      { type: 'save', errors: {} },
      { type: 'refused', errors: { title: 'No' } },
    );
    expect(state).toMatchObject({ text: mine, saving: false, wrong: { field: 'title' }, conflict: null });
  });

  test('that did not reach the server keeps the choice between two texts open', () => {
    const state = after(written(), conflict, { type: 'save', errors: {} }, { type: 'refused', errors: {} });
    expect(state).toMatchObject({ saving: false, conflict: { record: 'theirs' } });
  });
});

describe('A record that another admin saved', () => {
  test('opens a choice, and nothing changes until the admin chooses', () => {
    const state = after(written(), conflict);
    expect(state).toMatchObject({ text: mine, base: '3', conflict: { record: 'theirs', saved: theirs } });
    expect(after(state, { type: 'conflict closed' }).conflict).toBeNull();
  });

  test('can replace the typed text, and the admin can still go back and save over it', () => {
    const choosing = after(written(), conflict);
    const taken = after(choosing, { type: 'theirs taken' });
    expect(taken).toMatchObject({ conflict: null, base: '4', text: theirs.text });
    expect(isChanged(taken)).toBe(false);
    const back = after(taken, { type: 'undone', to: choosing });
    expect(back).toMatchObject({ text: mine, base: '4', conflict: null });
    expect(isChanged(back)).toBe(true);
  });
});

test('A version that is put into the form waits for a save, and can be removed again', () => {
  const before = written();
  const put = after(before, { type: 'replaced', text: earlier });
  expect(put).toMatchObject({ text: earlier, saved, base: '3', edition: 1 });
  expect(after(put, { type: 'undone', to: before }).text).toBe(before.text);
});
