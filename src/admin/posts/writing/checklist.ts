import { longestDescription } from '../../../domain/description.ts';
import type { OutlineItem } from '../editor/outline.ts';

/** Where a hint leads: to a field of the form, or to a position in the text. */
export type HintTarget = { readonly field: string } | { readonly position: number };

export interface Hint {
  readonly id: string;
  readonly text: string;
  readonly at: HintTarget;
}

interface Looked {
  readonly title: string;
  readonly excerpt: string;
  readonly featuredImage: string;
  readonly content: string;
}

/** The number of characters after which search engines cut a title, approximately. */
const longestTitle = 60;

/** Link text that does not say where the link leads. */
const bareWords = /^(here|click here|this|this link|link|more|read more|learn more)[.!]?$/i;

/** Returns hints for a post before it is published. No hint prevents publishing. */
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
      text: 'No excerpt: the blog listing shows no summary, and search results may show the beginning of the content.',
      at: { field: 'excerpt' },
    });
  } else if (excerpt.trim().length > longestDescription) {
    hints.push({
      id: 'excerpt',
      text: `The excerpt has ${excerpt.trim().length} characters; search results show about ${longestDescription}.`,
      at: { field: 'excerpt' },
    });
  }
  if (/<h1\b/i.test(content)) {
    hints.push({
      id: 'h1',
      text: 'The text has a level 1 heading. Only the title needs level 1.',
      at: { field: 'content' },
    });
  }

  let level = 1;
  for (const item of outline) {
    const at = { position: item.position };
    const id = `${item.kind}-${item.position}`;
    if (item.kind === 'heading') {
      if (item.text.trim() === '') hints.push({ id, text: 'A heading is empty.', at });
      else if (item.level > level + 1) {
        hints.push({
          id,
          text: `“${shortened(item.text)}” is an H${item.level} heading, but the heading before it is H${level}. Use H${level + 1}.`,
          at,
        });
      }
      level = item.level;
    } else if (item.kind === 'picture') {
      if (!item.described) hints.push({ id, text: 'A picture has no description.', at });
    } else if (bareWords.test(item.text.trim())) {
      hints.push({ id, text: `The link “${item.text.trim()}” doesn’t say where it leads.`, at });
    } else if (/^https?:\/\//i.test(item.text.trim())) {
      hints.push({
        id,
        text: `The text shows a web address instead of a link with words: ${shortened(item.text)}`,
        at,
      });
    }
  }
  return hints;
}

function shortened(text: string): string {
  const words = text.trim();
  return words.length > 40 ? `${words.slice(0, 39).trimEnd()}…` : words;
}
