import type { Editor } from '@tiptap/core';

/** The text as HTML, without the empty lines that the editor keeps at its end to write on. */
export function htmlOf(editor: Editor): string {
  let html = editor.getHTML();
  while (html.endsWith('<p></p>')) html = html.slice(0, -'<p></p>'.length);
  return html;
}

/**
 * HTML without what the site's policy forbids even in a document that is never shown: scripts, style sheets and inline
 * styles. Inline styles stay under another name, because some programs say 'bold' with them.
 */
export function parseable(html: string): string {
  const plain = withElements(html, /<(script|style)\b/gi, () => '').replace(/<(?:script|style)\b[^]*$/i, '');
  return plain.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/([\s"'/])style(\s*=)/gi, '$1data-style$2'));
}

/** The text with other words in the place of some elements. One that nothing closes stays, with all that follows. */
function withElements(html: string, opening: RegExp, change: (element: string) => string): string {
  let text = '';
  let at = 0;
  for (const { index, 1: name = '' } of html.matchAll(opening)) {
    if (index < at) continue;
    const closing = new RegExp(`</${name}\\s*>`, 'gi');
    closing.lastIndex = index;
    if (!closing.test(html)) break;
    text += html.slice(at, index) + change(html.slice(index, closing.lastIndex));
    at = closing.lastIndex;
  }
  return text + html.slice(at);
}

/** HTML with a line for each block, to be read and changed by people. */
export function laidOut(html: string): string {
  const preformatted: string[] = [];
  const text = withElements(html, /<(pre)\b/g, (block) => `\u0000${preformatted.push(block) - 1}\u0000`);
  return text
    .replace(
      /(<\/(?:p|h[2-6]|ul|ol|li|blockquote|figure|table|tbody|tr)>|<(?:ul|ol|blockquote|table|tbody|tr|hr)\b[^<>]*>)/g,
      '$1\n',
    )
    .replace(/(\u0000\d+\u0000)/g, '$1\n')
    .replace(/\n{2,}/g, '\n')
    .replace(/\u0000(\d+)\u0000/g, (_, index: string) => preformatted[Number(index)] ?? '')
    .trim();
}

/** Elements that only say the same in another way, or that the editor adds by itself. */
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
  // What it holds is counted by itself, its caption too.
  figure: '',
};

/**
 * What of a text the visual editor would lose: names of elements that are there before and not after it has read them.
 * Such a text is changed as HTML.
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
