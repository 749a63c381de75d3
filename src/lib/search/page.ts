import { type SearchEntry, searchAddress, searchIndexPath } from '../../domain/search.ts';
import { publishedPosts } from './published-posts.ts';
import { type Found, openSearch, type SearchEngine } from './engine.ts';
import { extractOf, type Part, partsOf } from './words.ts';

/** Pause after typing before the results update, in milliseconds. */
const pauseMs = 150;
const mostShown = 20;

type State = 'asked nothing' | 'loading' | 'found' | 'nothing' | 'failed';

/**
 * Shows the results for the search words in the URL and for words that the visitor types.
 * @param place the element that contains the results.
 */
export function answerQuestions(place: HTMLElement): void {
  const form = document.querySelector<HTMLFormElement>('form[role="search"]');
  const field = form?.querySelector('input');
  if (!form || !field) return;
  let engine: SearchEngine | undefined;
  let opening: Promise<SearchEngine> | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;

  // Text typed before this script loaded takes priority over the URL.
  field.value ||= new URLSearchParams(location.search).get('q') ?? '';

  /** Loads the index once, and again after a failure. */
  const open = async (): Promise<void> => {
    try {
      const opened = await (opening ??= openIndex());
      if (engine) return;
      engine = opened;
      void publishedPosts().then((posts) => posts && opened.updatePosts(posts) && answer());
    } catch {
      opening = undefined;
    }
  };

  function answer(): void {
    const question = field!.value.trim();
    if (question === '') return show(place, 'asked nothing', '');
    if (!engine) return show(place, 'loading', 'Searching…');
    const found = engine.find(question);
    list(place, found.slice(0, mostShown));
    show(place, found.length === 0 ? 'nothing' : 'found', countText(found.length, question));
  }

  async function ask(): Promise<void> {
    clearTimeout(pause);
    // When the visitor returns with the Back button, Safari sets a field without autocomplete to its `defaultValue`.
    field!.defaultValue = field!.value;
    const address = searchAddress(field!.value);
    if (address !== location.pathname + location.search) history.replaceState(history.state, '', address);
    answer();
    await open();
    if (engine) answer();
    else if (field!.value.trim() !== '') {
      show(place, 'failed', 'We couldn’t load the search. Your words are still in the search box.');
    }
  }

  field.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => void ask(), pauseMs);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // Hides the on-screen keyboard, which covers the results.
    if (matchMedia('(pointer: coarse)').matches) field.blur();
    void ask();
  });
  place.querySelector('[data-retry]')?.addEventListener('click', () => {
    // The error message disappears with its button, so the focus moves to the search field.
    field.focus();
    void ask();
  });
  void ask();
}

async function openIndex(): Promise<SearchEngine> {
  const response = await fetch(searchIndexPath, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(String(response.status));
  return openSearch((await response.json()) as SearchEntry[]);
}

function countText(count: number, question: string): string {
  if (count === 0) return `No results for “${question}”`;
  if (count > mostShown) return `The first ${mostShown} of ${count} results for “${question}”`;
  return `${count} ${count === 1 ? 'result' : 'results'} for “${question}”`;
}

function show(place: HTMLElement, state: State, text: string): void {
  const status = place.querySelector('[role="status"]');
  // Screen readers would announce the same text again if it were set again.
  if (status && status.textContent !== text) status.textContent = text;
  place.dataset['search'] = state;
  place.ariaBusy = state === 'loading' ? 'true' : null;
}

function list(place: HTMLElement, found: Found[]): void {
  const mold = place.querySelector('template')?.content.firstElementChild;
  if (!mold) return;
  const entries = found.map(({ entry, words }) => {
    const item = mold.cloneNode(true) as HTMLElement;
    const link = item.querySelector('a')!;
    link.href = entry.href;
    link.replaceChildren(...nodesOf(partsOf(entry.title, words)));
    item.querySelector('[data-kind]')!.textContent = entry.kind;
    const of = item.querySelector('[data-of]')!;
    if (entry.of === undefined) of.remove();
    else of.textContent = `In ${entry.of}`;
    item.querySelector('[data-extract]')!.replaceChildren(...nodesOf(extractOf(entry.text, words)));
    return item;
  });
  place.querySelector('ol')?.replaceChildren(...entries);
}

/** Returns strings and `<mark>` elements for `replaceChildren`, so text of the index is never parsed as HTML. */
function nodesOf(parts: readonly Part[]): (Node | string)[] {
  return parts.map(({ text, found }) => {
    if (!found) return text;
    const mark = document.createElement('mark');
    mark.textContent = text;
    return mark;
  });
}
