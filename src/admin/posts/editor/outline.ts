import type { Node } from '@tiptap/pm/model';
import type { PictureAttributes } from './PictureView.tsx';

/** What an editor's eye looks at in a text, with its place in it. */
export type OutlineItem =
  | { readonly kind: 'heading'; readonly place: number; readonly level: number; readonly text: string }
  | { readonly kind: 'picture'; readonly place: number; readonly described: boolean }
  | { readonly kind: 'link'; readonly place: number; readonly address: string; readonly text: string };

/** The headings, pictures and links of a text, in their order. */
export function outlineOf(document: Node): OutlineItem[] {
  const items: OutlineItem[] = [];
  document.descendants((node, place) => {
    if (node.type.name === 'heading') {
      items.push({ kind: 'heading', place, level: Number(node.attrs['level']), text: node.textContent });
    } else if (node.type.name === 'image') {
      const { alt, decorative } = node.attrs as PictureAttributes;
      items.push({ kind: 'picture', place, described: decorative || alt.trim() !== '' });
    }
    const link = node.marks.find((mark) => mark.type.name === 'link');
    if (link && node.isText) {
      const address = String(link.attrs['href']);
      const before = items.at(-1);
      // Part of a link may be bold: the parts are one link.
      if (before?.kind === 'link' && before.address === address && before.place + before.text.length === place) {
        items[items.length - 1] = { ...before, text: before.text + (node.text ?? '') };
      } else items.push({ kind: 'link', place, address, text: node.text ?? '' });
    }
  });
  return items;
}
