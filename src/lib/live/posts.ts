import type { PublishedPage } from '../../domain/post.ts';
import { listedState, postPath, shownDate } from '../../domain/post-text.ts';
import { dayFigure, dayText } from '../dates.ts';
import { pictureSources } from '../pictures.ts';
import { awaitPictures } from './pictures.ts';
import { publishedPosts } from './published-posts.ts';

type Card = PublishedPage['data'][number];

/**
 * Brings a page of the blog's listing up to date: asks the API for the same posts and changes the list only where it differs
 * from what is shown. Where no list was built in, this is what shows it. A failure leaves a list as it is built.
 */
export async function refreshPosts(): Promise<void> {
  const place = document.querySelector<HTMLElement>('[data-posts]');
  if (!place) return;
  const first = await publishedPosts(place.dataset['cursor']);
  if (!first) {
    if (place.dataset['posts'] === 'loading') sayFailure(place);
    return;
  }
  show(place, beforeBoundary(first.data, place.dataset['until']));
  offerOlder(place, place.dataset['until'] ? null : first.nextCursor);
}

/** What stands on this page; the page after it begins at the boundary (a date and an id). */
function beforeBoundary(posts: Card[], until: string | undefined): Card[] {
  const [date = '', id] = until?.split(' ') ?? [];
  const end = posts.findIndex((post) => post.id === id || shownDate(post) < date);
  return end === -1 ? posts : posts.slice(0, end);
}

function show(place: HTMLElement, posts: Card[], kept: Element[] = []): void {
  const list = place.querySelector('ol');
  if (!list) return;
  const shown = new Map([...list.children].map((entry) => [keyOf(entry), entry]));
  const entries = posts.map((post) => shown.get(listedState(post)) ?? entryOf(place, post));
  const wanted = [...kept, ...entries];
  if (wanted.length !== list.children.length || wanted.some((entry, index) => entry !== list.children[index])) {
    const focused = document.activeElement;
    list.replaceChildren(...wanted);
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus({ preventScroll: true });
    awaitPictures(list);
  }
  const state = wanted.length === 0 ? 'empty' : 'listed';
  if (place.dataset['posts'] !== state) place.dataset['posts'] = state;
  place.removeAttribute('aria-busy');
}

const keyOf = (entry: Element) => entry.getAttribute('data-post') ?? '';

/** An entry made of the listing's mold. */
function entryOf(place: HTMLElement, post: Card): Element {
  const mold = place.querySelector('template')?.content.firstElementChild;
  const entry = mold?.cloneNode(true) as HTMLElement;
  entry.dataset['post'] = listedState(post);
  const set = (selector: string, text: string) => {
    const element = entry.querySelector(selector);
    if (element) element.textContent = text;
  };
  const date = shownDate(post);
  entry.querySelector('time')?.setAttribute('datetime', date);
  const day = dayText(date, place.dataset['zone'] ?? 'UTC');
  set('time', day);
  set('.post-picture span', dayFigure(day));
  set('h2', post.title);
  set('p', post.excerpt ?? '');
  set('a span', `: ${post.title}`);
  entry.querySelector('a')?.setAttribute('href', postPath(post.slug));
  const picture = entry.querySelector('img');
  if (post.featuredImage === null) picture?.remove();
  else if (picture) {
    const { src, srcset } = pictureSources(post.featuredImage);
    if (srcset) picture.srcset = srcset;
    else picture.removeAttribute('srcset');
    picture.src = src;
  }
  return entry;
}

/** The button that goes on where the list does; pages that were built have addresses of their own instead. */
function offerOlder(place: HTMLElement, cursor: string | null): void {
  const button = place.querySelector<HTMLButtonElement>(':scope > button');
  if (!button) return;
  if (button.hidden !== (cursor === null)) button.hidden = cursor === null;
  if (cursor === null) return;
  button.onclick = async () => {
    button.disabled = true;
    const older = await publishedPosts(cursor);
    button.disabled = false;
    button.textContent = older ? 'Show older posts' : 'Not loaded: try again';
    if (!older) return button.focus({ preventScroll: true });
    const kept = [...(place.querySelector('ol')?.children ?? [])];
    show(place, older.data, kept);
    offerOlder(place, older.nextCursor);
    focusEntry(place, kept.length);
  };
}

/** In place of the list that was awaited: says why there is none, and offers to ask again. */
function sayFailure(place: HTMLElement): void {
  const status = place.querySelector('[role="status"]');
  const retry = place.querySelector<HTMLElement>('[data-retry]');
  if (status) status.textContent = 'The posts could not be loaded. Please check your connection, then try again.';
  place.querySelector('ul')?.setAttribute('hidden', '');
  place.removeAttribute('aria-busy');
  if (!retry) return;
  retry.hidden = false;
  retry.onclick = async () => {
    if (status) status.textContent = 'Loading posts…';
    await refreshPosts();
    if (place.dataset['posts'] === 'listed') focusEntry(place, 0);
  };
}

/** Where the button that was pressed is gone. */
function focusEntry(place: HTMLElement, index: number): void {
  place.querySelector('ol')?.children[index]?.querySelector('a')?.focus({ preventScroll: true });
}
