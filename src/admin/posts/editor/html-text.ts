import type { Editor } from '@tiptap/core';

/** Returns the text as HTML, without the empty paragraphs that the editor adds at the end. */
export function htmlOf(editor: Editor): string {
  let html = editor.getHTML();
  while (html.endsWith('<p></p>')) html = html.slice(0, -'<p></p>'.length);
  return html;
}

/**
 * Removes scripts, style sheets and inline styles from HTML. The content security policy forbids them, and the browser
 * applies the policy even to HTML that is parsed but never shown. Renames the `style` attribute to `data-style`, so
 * `cleanPasted` can recognize text that other programs mark as bold with styles.
 */
export function parseable(html: string): string {
  const plain = html.replace(/<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi, '');
  return plain.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/([\s"'/])style(\s*=)/gi, '$1data-style$2'));
}

/**
 * Maps element names to the names that the editor uses instead. {@link lossOf} counts elements by the editor's names.
 * An empty string excludes an element from the count, because the editor may add or drop it without losing content.
 */
const sameAs: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  del: 's',
  strike: 's',
  thead: '',
  tbody: '',
  colgroup: '',
  col: '',
  p: '',
  div: '',
  br: '',
  // A figure is not counted, but the image and the caption in it are.
  figure: '',
};

/**
 * Returns the names of the elements that the editor would remove from a text.
 * @param before the HTML given to the editor.
 * @param after the HTML that the editor returns.
 */
export function lossOf(before: string, after: string): string[] {
  const left = counts(after);
  return [...counts(before)].flatMap(([name, count]) => (count > (left.get(name) ?? 0) ? [name] : []));
}

function counts(html: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [, tag = ''] of html.matchAll(/<([a-z][a-z0-9-]*)/gi)) {
    const name = sameAs[tag.toLowerCase()] ?? tag.toLowerCase();
    if (name !== '') found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}
