import type { OutlineItem } from './editor/outline.ts';

/** Where a hint leads: to a field of the form, or to a place in the text. */
export type HintPlace =
  { readonly field: 'title' | 'slug' | 'excerpt' | 'featuredImage' | 'content' } | { readonly place: number };

export interface Hint {
  readonly id: string;
  readonly text: string;
  readonly at: HintPlace;
}

interface Looked {
  readonly title: string;
  readonly excerpt: string;
  readonly featuredImage: string;
  readonly content: string;
}

/** Search engines cut a longer title or description. */
const longestTitle = 60;
const longestExcerpt = 160;

/** Words that say nothing of where a link leads. */
const bareWords = /^(here|click here|this|this link|link|more|read more|learn more)[.!]?$/i;

/** What an editor's eye would find before a post is published. None of it keeps anybody from publishing. */
export function checklistOf({ title, excerpt, content }: Looked, outline: readonly OutlineItem[]): Hint[] {
  const hints: Hint[] = [];
  if (title.trim().length > longestTitle) {
    hints.push({
      id: 'title',
      text: `The title has ${title.trim().length} characters; search results show about ${longestTitle}.`,
      at: { field: 'title' },
    });
  }
  if (excerpt.trim() === '') {
    hints.push({
      id: 'excerpt',
      text: 'No excerpt: the listing and search results show nothing below the title.',
      at: { field: 'excerpt' },
    });
  } else if (excerpt.trim().length > longestExcerpt) {
    hints.push({
      id: 'excerpt',
      text: `The excerpt has ${excerpt.trim().length} characters; search results show about ${longestExcerpt}.`,
      at: { field: 'excerpt' },
    });
  }
  if (/<h1\b/i.test(content)) {
    hints.push({ id: 'h1', text: 'The text has a heading 1; the title is that already.', at: { field: 'content' } });
  }

  let level = 1;
  for (const item of outline) {
    const at = { place: item.place };
    const id = `${item.kind}-${item.place}`;
    if (item.kind === 'heading') {
      if (item.text.trim() === '') hints.push({ id, text: 'A heading is empty.', at });
      else if (item.level > level + 1) {
        hints.push({ id, text: `“${shortened(item.text)}” is a heading ${item.level} below a heading ${level}.`, at });
      }
      level = item.level;
    } else if (item.kind === 'picture') {
      if (!item.described) hints.push({ id, text: 'A picture has no description.', at });
    } else if (bareWords.test(item.text.trim())) {
      hints.push({ id, text: `The link “${item.text.trim()}” does not say where it leads.`, at });
    } else if (/^https?:\/\//i.test(item.text.trim())) {
      hints.push({ id, text: `A bare address stands in the text: ${shortened(item.text)}`, at });
    }
  }
  return hints;
}

function shortened(text: string): string {
  const words = text.trim();
  return words.length > 40 ? `${words.slice(0, 39).trimEnd()}…` : words;
}
