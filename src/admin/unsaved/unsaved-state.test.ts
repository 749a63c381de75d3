import { describe, expect, test } from 'vitest';
import { type UnsavedState, afterSave, isChanged, opened, readAgain, refused, typed } from './unsaved-state.ts';

interface Words extends Record<string, string> {
  title: string;
  content: string;
}
type State = UnsavedState<Words, string>;

const saved = { version: '3', text: { title: 'Closing', content: 'First words.' } };
const mine = { content: 'First words. Mine.' };
const theirs = { version: '4', text: { title: 'Closing', content: 'Theirs.' } };
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

describe('A save', () => {
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
