import { describe, expect, test } from 'vitest';
import {
  type Copy,
  type UnsavedState,
  afterSave,
  found,
  isChanged,
  offerTaken,
  opened,
  readAgain,
  refused,
  typed,
  undone,
  withSaved,
  withText,
} from './unsaved-state.ts';

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

const begun = (): State => opened(saved);
const written = () => typed(begun(), mine);
const choosing = (): State => ({ ...written(), conflict: { record: 'theirs', saved: theirs } });

describe('Typed text', () => {
  test('is a change, unless it equals the text in the form or the saved text', () => {
    expect(isChanged(begun())).toBe(false);
    const state = written();
    expect(isChanged(state)).toBe(true);
    expect(typed(state, mine)).toBe(state);
    expect(isChanged(typed(state, { content: 'First words. ' }))).toBe(false);
  });

  test('clears only the error of its own field', () => {
    const state = refused(begun(), { title: 'Missing', content: 'Missing' });
    expect(typed(state, { content: 'a' }).errors).toEqual({ title: 'Missing' });
  });

  test('keeps its base when the record is read again; an unchanged form shows the newer record', () => {
    expect(readAgain(begun(), theirs)).toMatchObject({ text: theirs.text, base: '4', edition: 1 });
    const state = written();
    expect(readAgain(state, theirs)).toBe(state);
  });
});

describe('Unsaved changes that were stored', () => {
  test('continue if they are the admin’s own and the saved version is the same', () => {
    expect(found(begun(), copy())).toMatchObject({ text: earlier, offer: null, edition: 1 });
  });

  test.each([
    ['the saved version changed meanwhile', copy({ base: '2' }), begun()],
    ['they are a colleague’s', copy({ by: 'b@firm.example' }), begun()],
    ['the admin has typed already', copy(), written()],
  ])('are offered if %s, and the form stays as it is', (_why, stored, state) => {
    expect(found(state, stored)).toMatchObject({ text: state.text, offer: stored, edition: 0 });
  });

  test('are ignored if they equal the saved text', () => {
    expect(found(begun(), copy({ text: saved.text })).offer).toBeNull();
  });

  test('bring along earlier changes that were offered and not decided', () => {
    const older = copy({ base: '1', text: { ...earlier, title: 'Even earlier' } });
    const state = found(begun(), copy({ older }));
    expect(state).toMatchObject({ text: earlier, offer: older });
  });

  test('that were offered replace the text with their own base, and the admin can go back', () => {
    const before = found(written(), copy({ base: '2' }));
    const taken = offerTaken(before);
    // The next save sends the version from which the changes started, so the server finds the conflict.
    expect(taken).toMatchObject({ text: earlier, base: '2', offer: null, edition: 1 });
    const back = undone(taken, before);
    expect(back).toMatchObject({ text: before.text, base: '3', offer: before.offer, edition: 2 });
  });
});

describe('A save', () => {
  test('does not start with errors, and moves the focus to the first field with one', () => {
    const state = refused(written(), { title: 'Missing', content: 'Missing' });
    expect(state).toMatchObject({ text: mine, saving: false, wrong: { field: 'title' } });
    // The dialog of a conflict would cover the field.
    expect(refused(choosing(), { title: 'No' }).conflict).toBeNull();
  });

  test('leaves no unsaved changes, and shows what the server changed', () => {
    const state = written();
    const stored = { version: '4', text: { ...state.text, title: 'Closing the books' } };
    const done = afterSave(state, stored, state.text);
    expect(done).toMatchObject({ saving: false, base: '4', text: stored.text });
    expect(isChanged(done)).toBe(false);
  });

  test('keeps text typed during the save as unsaved', () => {
    const { text } = written();
    const more = { content: 'First words. Mine. More.' };
    const done = afterSave(typed(written(), more), { version: '4', text }, text);
    expect(done).toMatchObject({ text: more, base: '4' });
    expect(isChanged(done)).toBe(true);
  });

  test('that did not reach the server keeps the choice between two texts open', () => {
    expect(refused(choosing(), {})).toMatchObject({ saving: false, conflict: { record: 'theirs' } });
  });
});

test('A version that another admin saved can replace the typed text, and the admin can go back and save over it', () => {
  const taken = withSaved(choosing(), theirs);
  expect(taken).toMatchObject({ conflict: null, base: '4', text: theirs.text });
  expect(isChanged(taken)).toBe(false);
  const back = undone(taken, choosing());
  expect(back).toMatchObject({ text: mine, base: '4', conflict: null });
  expect(isChanged(back)).toBe(true);
});

test('A version that is put into the form waits for a save, and can be removed again', () => {
  const before = written();
  const put = withText(before, earlier);
  expect(put).toMatchObject({ text: earlier, saved, base: '3', edition: 1 });
  expect(undone(put, before).text).toBe(before.text);
});
