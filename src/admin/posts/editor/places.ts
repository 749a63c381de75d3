import type { Editor } from '@tiptap/core';
import type { PickedMedia } from '../../ui/pick-media.ts';
import type { LinkAt } from './LinkDialog.tsx';

/** The link at the cursor, whole, or the words that are selected for a new one. */
export function linkAtCursor(editor: Editor): LinkAt {
  const address = textAttribute(editor, 'link', 'href');
  if (address) editor.commands.extendMarkRange('link');
  return { address, words: selectedText(editor) };
}

/** Writes a link over what is selected. Words that stay keep their own look; only others are written anew. */
export function putLink(editor: Editor, { address, words }: LinkAt): void {
  const chain = editor.chain().focus();
  if (words === selectedText(editor)) chain.setLink({ href: address }).run();
  else {
    const { from, to } = editor.state.selection;
    const marks = [{ type: 'link', attrs: { href: address } }];
    chain.insertContentAt({ from, to }, { type: 'text', text: words, marks }).run();
  }
}

/** The picture that is selected; null where none is. */
export function pictureAtCursor(editor: Editor): PickedMedia | null {
  if (!editor.isActive('image')) return null;
  const { src: _src, ...size } = editor.getAttributes('image');
  return {
    width: null,
    height: null,
    ...size,
    url: textAttribute(editor, 'image', 'src'),
    alt: textAttribute(editor, 'image', 'alt'),
  };
}

/** Puts a picture at the cursor, or at another place. */
export function insertPicture(editor: Editor, { url, alt, width, height }: PickedMedia, place?: number): void {
  const attrs = { src: url, alt, ...(width && height ? { width, height } : {}) };
  const { from, to } = editor.state.selection;
  const at = place === undefined ? { from, to } : Math.min(place, editor.state.doc.content.size);
  editor.chain().focus().insertContentAt(at, { type: 'image', attrs }).run();
}

/** Selects the picture, or the words, that begin at a place. */
export function selectPlace(editor: Editor, place: number): void {
  const node = editor.state.doc.nodeAt(place);
  const chain = editor.chain().focus(undefined, { scrollIntoView: false });
  if (!node) chain.run();
  else if (node.isText)
    chain
      .setTextSelection({ from: place, to: place + node.nodeSize })
      .scrollIntoView()
      .run();
  else if (node.isAtom) chain.setNodeSelection(place).scrollIntoView().run();
  else
    chain
      .setTextSelection({ from: place + 1, to: place + node.nodeSize - 1 })
      .scrollIntoView()
      .run();
}

function selectedText(editor: Editor): string {
  const { from, to } = editor.state.selection;
  return editor.state.doc.textBetween(from, to, ' ');
}

function textAttribute(editor: Editor, type: string, name: string): string {
  const value: unknown = editor.getAttributes(type)[name];
  return typeof value === 'string' ? value : '';
}
