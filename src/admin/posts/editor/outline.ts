import type { Node } from '@tiptap/pm/model';
import type { PictureAttributes } from './PictureView.tsx';

/** An item that the "Before you publish" checklist examines, with its position in the editor's document. */
export type OutlineItem =
  | { readonly kind: 'heading'; readonly position: number; readonly level: number; readonly text: string }
  | { readonly kind: 'picture'; readonly position: number; readonly described: boolean }
  | { readonly kind: 'link'; readonly position: number; readonly address: string; readonly text: string };

/** Lists the headings, images and links of a text in document order. */
export function outlineOf(document: Node): OutlineItem[] {
  const items: OutlineItem[] = [];
  document.descendants((node, position) => {
    if (node.type.name === 'heading') {
      items.push({ kind: 'heading', position, level: Number(node.attrs['level']), text: node.textContent });
    } else if (node.type.name === 'image') {
      const { alt, decorative } = node.attrs as PictureAttributes;
      items.push({ kind: 'picture', position, described: decorative || alt.trim() !== '' });
    }
    const link = node.marks.find((mark) => mark.type.name === 'link');
    if (link && node.isText) {
      const address = String(link.attrs['href']);
      const before = items.at(-1);
      // A link that is partly bold consists of several text nodes, which are joined here.
      if (before?.kind === 'link' && before.address === address && before.position + before.text.length === position) {
        items[items.length - 1] = { ...before, text: before.text + (node.text ?? '') };
      } else items.push({ kind: 'link', position, address, text: node.text ?? '' });
    }
  });
  return items;
}
