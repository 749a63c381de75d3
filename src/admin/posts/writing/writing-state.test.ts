import { describe, expect, test } from 'vitest';
import type { PostRecord } from '../../../domain/post.ts';
import { emptyForm, formOf } from '../post-form.ts';
import type { Offer } from './offers.ts';
import {
  type WritingEvent,
  type WritingState,
  afterEvent,
  beginWriting,
  hasUnsavedText,
  isChanged,
  writingOf,
} from './writing-state.ts';

const post: PostRecord = {
  id: 'p1',
  title: 'Closing',
  slug: 'closing',
  content: '<p>First words.</p>',
  excerpt: null,
  featuredImage: null,
  status: 'draft',
  publishedAt: null,
  firstPublishedAt: null,
  publishAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  revision: 3,
  deletedAt: null,
};
const mine = { content: '<p>First words. Mine.</p>' };
const theirs: PostRecord = { ...post, content: '<p>Theirs.</p>', revision: 4 };
const offer = (changes: Partial<Offer>): Offer => ({
  key: 'p1',
  postId: 'p1',
  revision: 2,
  form: { ...formOf(post), content: '<p>Earlier words.</p>' },
  sitting: 'earlier',
  savedAt: '2026-01-01T00:00:00.000Z',
  ...changes,
});

const after = (state: WritingState, ...events: readonly WritingEvent[]) => events.reduce(afterEvent, state);
const opened = () => beginWriting(post, 'here');
const written = () => after(opened(), { type: 'typed', change: mine });

describe('Typed text', () => {
  test('is the draft of its post, of the opened revision, and of its author', () => {
    expect(isChanged(opened())).toBe(false);
    expect(isChanged(written())).toBe(true);
    expect(writingOf(written(), 'a@firm.example')).toEqual({
      key: 'p1',
      postId: 'p1',
      revision: 3,
      form: { ...formOf(post), ...mine },
      by: 'a@firm.example',
      sitting: 'here',
    });
  });

  test('that equals the saved text is not stored or sent', () => {
    const state = written();
    expect(after(state, { type: 'typed', change: mine })).toBe(state);
  });

  test('clears only the error of its own field', () => {
    const state = after(
      beginWriting(null, 'here'),
      { type: 'save', lacksTime: false },
      { type: 'typed', change: { content: 'a' } },
    );
    expect(Object.keys(state.errors)).toEqual(['title', 'slug']);
  });

  test('in the title becomes the slug of a new post, until the admin edits the slug', () => {
    const titled = after(beginWriting(null, 'here'), { type: 'typed', change: { title: 'Close: in 5 Days!' } });
    expect(titled.form.slug).toBe('close-in-5-days');
    const edited = after(
      titled,
      { type: 'typed', change: { slug: 'mine' } },
      { type: 'typed', change: { title: 'New' } },
    );
    expect(edited.form).toMatchObject({ title: 'New', slug: 'mine' });
    expect(after(opened(), { type: 'typed', change: { title: 'New' } }).form.slug).toBe('closing');
  });

  test('keeps the dialog open until it is saved or discarded, unless it contains nothing readable', () => {
    expect(hasUnsavedText(opened())).toBe(false);
    expect(hasUnsavedText(written())).toBe(true);
    expect(hasUnsavedText(after(beginWriting(null, 'here'), { type: 'typed', change: { title: ' ' } }))).toBe(false);
  });
});

describe('Unsaved text', () => {
  test('is offered, and is not in the form until the admin restores it', () => {
    const found = after(opened(), { type: 'found', offers: [offer({})] });
    expect(found.form).toEqual(formOf(post));
    const restored = after(found, { type: 'restored', offer: offer({}) });
    expect(restored.form).toEqual(offer({}).form);
    expect(restored.offers).toEqual([]);
    // The editor must show the restored text, and the next save must send the revision on which the draft was based.
    expect(restored.edition).toBe(found.edition + 1);
    expect(restored.base.revision).toBe(2);
  });

  test('that was restored can be removed again, and is then offered again', () => {
    const before = after(written(), { type: 'found', offers: [offer({})] });
    const undone = after(before, { type: 'restored', offer: offer({}) }, { type: 'undone', to: before });
    expect(undone).toMatchObject({ form: before.form, base: before.base, offers: before.offers });
    expect(undone.edition).toBe(before.edition + 2);
  });

  test('of a new post continues the same draft', () => {
    const draft = offer({ key: 'new-earlier', postId: null, revision: null });
    const restored = after(beginWriting(null, 'here'), { type: 'restored', offer: draft });
    expect(writingOf(restored, '').key).toBe('new-earlier');
    const undone = after(restored, { type: 'undone', to: beginWriting(null, 'here') });
    expect(writingOf(undone, '').key).toBe('new-here');
    expect(undone.slugFollows).toBe(true);
  });

  test('that is only on the server disappears after new text replaces it', () => {
    const [same, other] = [offer({ sitting: 'server' }), offer({ sitting: 'server', key: 'new-other' })];
    const found = after(opened(), { type: 'found', offers: [same, other, offer({})] });
    expect(found.onServerOnly).toEqual([same, other]);
    expect(after(found, { type: 'typed', change: mine }).onServerOnly).toEqual([other]);
  });

  test('that is discarded is no longer offered', () => {
    const [one, other] = [offer({}), offer({ sitting: 'another' })];
    const found = after(opened(), { type: 'found', offers: [one, other] });
    expect(after(found, { type: 'discarded', offer: one }).offers).toEqual([other]);
  });
});

describe('A save', () => {
  test('needs a title, a slug and text, and moves the focus to the first missing field', () => {
    const state = after(beginWriting(null, 'here'), { type: 'save', lacksTime: true });
    expect(state).toMatchObject({ saving: false, wrong: { field: 'title' } });
    expect(Object.keys(state.errors)).toEqual(['title', 'slug', 'content']);
  });

  test('needs a complete time or none', () => {
    const state = after(written(), { type: 'save', lacksTime: true });
    expect(state).toMatchObject({ saving: false, wrong: { field: 'publishAt' } });
    expect(after(state, { type: 'save', lacksTime: false })).toMatchObject({ saving: true, errors: {}, wrong: null });
  });

  test('does not start again while one is running', () => {
    const saving = after(written(), { type: 'save', lacksTime: false });
    expect(after(saving, { type: 'save', lacksTime: false })).toBe(saving);
  });

  test('leaves no unsaved changes, and shows the slug and the time from the server', () => {
    const sent = { ...written().form, slug: 'Closing', publishAt: '2060-01-01T18:00Z' };
    const saved = { ...theirs, ...mine, publishAt: '2060-01-01T18:00:00.000Z' };
    const state = after(
      written(),
      { type: 'typed', change: sent },
      { type: 'save', lacksTime: false },
      { type: 'saved', post: saved, sent },
    );
    expect(state).toMatchObject({ saving: false, base: { revision: 4 } });
    expect(state.form).toMatchObject({ slug: 'closing', publishAt: '2060-01-01T18:00:00.000Z' });
    expect(isChanged(state)).toBe(false);
  });

  test('keeps text typed during the save as unsaved', () => {
    const sending = after(written(), { type: 'save', lacksTime: false });
    const more = { content: '<p>First words. Mine. More.</p>' };
    const saved = { type: 'saved', post: { ...post, ...mine, revision: 4 }, sent: sending.form } as const;
    const state = after(sending, { type: 'typed', change: more }, saved);
    expect(state.form.content).toBe(more.content);
    expect(isChanged(state)).toBe(true);
    expect(writingOf(state, '').revision).toBe(4);
  });

  test('of a new post continues as the saved post', () => {
    const begun = after(beginWriting(null, 'here'), { type: 'typed', change: formOf(post) });
    const state = after(begun, { type: 'save', lacksTime: false }, { type: 'saved', post, sent: begun.form });
    expect(writingOf(state, '')).toMatchObject({ key: 'p1', postId: 'p1', revision: 3 });
    expect(after(state, { type: 'typed', change: { title: 'Another' } }).form.slug).toBe('closing');
  });

  test('that is refused shows errors at the fields, and keeps all typed text', () => {
    const errors = { slug: 'Another post has it.', suggestion: 'closing-2' };
    const choosing = after(written(), { type: 'conflict', current: theirs }, { type: 'save', lacksTime: false });
    const state = after(choosing, { type: 'refused', errors });
    expect(state).toMatchObject({ form: mine, saving: false, errors, wrong: { field: 'slug' }, conflict: null });
  });

  test('that did not reach the server keeps the choice between two texts open', () => {
    const choosing = after(written(), { type: 'conflict', current: theirs }, { type: 'save', lacksTime: false });
    expect(after(choosing, { type: 'refused', errors: {} })).toMatchObject({ saving: false, conflict: theirs });
  });
});

describe('A post that another admin saved', () => {
  test('opens a choice, and nothing changes until the admin chooses', () => {
    const state = after(written(), { type: 'save', lacksTime: false }, { type: 'conflict', current: theirs });
    expect(state).toMatchObject({ form: mine, saving: false, conflict: theirs, base: { revision: 3 } });
    expect(after(state, { type: 'conflict closed' }).conflict).toBeNull();
  });

  test('in another tab opens a choice too, unless it is the revision that was opened', () => {
    expect(after(written(), { type: 'read', current: theirs }).conflict).toBe(theirs);
    const state = written();
    expect(after(state, { type: 'read', current: post })).toBe(state);
    const saving = after(state, { type: 'save', lacksTime: false });
    expect(after(saving, { type: 'read', current: theirs })).toBe(saving);
  });

  test('can replace the typed text, and the admin can still restore the typed text and save it', () => {
    const choosing = after(written(), { type: 'conflict', current: theirs });
    const taken = after(choosing, { type: 'theirs taken' });
    expect(taken).toMatchObject({ conflict: null, base: { revision: 4 }, form: formOf(theirs) });
    expect(isChanged(taken)).toBe(false);
    const back = after(taken, { type: 'undone', to: { ...choosing, base: taken.base } });
    expect(back).toMatchObject({ form: mine, base: { revision: 4 }, conflict: null });
    expect(isChanged(back)).toBe(true);
  });
});

test('A version that is put into the form waits for a save, and can be removed again', () => {
  const before = written();
  const put = after(before, { type: 'replaced', form: { ...emptyForm, title: 'As it was' } });
  expect(put).toMatchObject({ form: { title: 'As it was' }, base: before.base, edition: 1 });
  expect(after(put, { type: 'undone', to: before }).form).toBe(before.form);
});
