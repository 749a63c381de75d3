import type { Editor } from '@tiptap/core';
import { Fragment, Slice } from '@tiptap/pm/model';
import { dropPoint } from '@tiptap/pm/transform';
import type { EditorView } from '@tiptap/pm/view';
import type { PickedMedia } from '../../ui/pick-media.ts';
import type { LinkAt } from './LinkDialog.tsx';
import { focusDescription } from './PictureView.tsx';

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

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where a picture goes that was not dropped: in the place of the selected one, else after what is selected. */
export function pictureRange(editor: Editor): Range {
  const { from, to } = editor.state.selection;
  return editor.isActive('image') ? { from, to } : { from: to, to };
}

/** The place between two blocks that is nearest to a point of the screen. */
export function blockPlaceAt(view: EditorView, { clientX: left, clientY: top }: MouseEvent): number {
  const { doc, schema } = view.state;
  const found = view.posAtCoords({ left, top });
  if (!found) return doc.content.size;
  const picture = schema.nodes['image']?.create();
  return dropPoint(doc, found.pos, new Slice(Fragment.from(picture), 0, 0)) ?? found.pos;
}

/** Puts a picture into the text. What the admin does elsewhere meanwhile goes on: neither the focus nor the cursor moves. */
export function insertPicture(editor: Editor, picture: PickedMedia, range: Range): void {
  const { url: src, alt, decorative, width, height } = picture;
  const attrs = { src, alt, decorative, ...(width && height ? { width, height } : {}) };
  editor.commands.insertContentAt(range, { type: 'image', attrs }, { updateSelection: false });
}

/** Selects the words that begin at a place, or leads to the description of the picture there. */
export function selectPlace(editor: Editor, place: number): void {
  const node = editor.state.doc.nodeAt(place);
  if (node?.type.name === 'image') {
    // The editor takes the focus a frame later, so it is not asked for.
    editor.chain().setNodeSelection(place).scrollIntoView().run();
    focusDescription(editor.view.nodeDOM(place));
    return;
  }
  const chain = editor.chain().focus(undefined, { scrollIntoView: false });
  if (!node) chain.run();
  else {
    const [from, to] = node.isText ? [place, place + node.nodeSize] : [place + 1, place + node.nodeSize - 1];
    chain.setTextSelection({ from, to }).scrollIntoView().run();
  }
}

function selectedText(editor: Editor): string {
  const { from, to } = editor.state.selection;
  return editor.state.doc.textBetween(from, to, ' ');
}

function textAttribute(editor: Editor, type: string, name: string): string {
  const value: unknown = editor.getAttributes(type)[name];
  return typeof value === 'string' ? value : '';
}
