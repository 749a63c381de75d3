import type { Editor } from '@tiptap/core';
import { Fragment, Slice } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';
import { dropPoint } from '@tiptap/pm/transform';
import type { EditorView } from '@tiptap/pm/view';
import type { PickedMedia } from '../../lib/pick-media.ts';
import type { LinkAt } from './LinkDialog.tsx';

/**
 * Returns the link at the cursor and selects its whole text. If the cursor is not in a link, returns the selected text
 * and an empty URL.
 */
export function linkAtCursor(editor: Editor): LinkAt {
  const address = textAttribute(editor, 'link', 'href');
  if (address) editor.commands.extendMarkRange('link');
  return { address, words: selectedText(editor) };
}

/** Turns the selection into a link. If `words` differs from the selected text, `words` replaces the selection. */
export function putLink(editor: Editor, { address, words }: LinkAt): void {
  const chain = editor.chain().focus();
  if (words === selectedText(editor)) chain.setLink({ href: address }).run();
  else {
    const { from, to } = editor.state.selection;
    const marks = [{ type: 'link', attrs: { href: address } }];
    chain.insertContentAt({ from, to }, { type: 'text', text: words, marks }).run();
  }
}

/**
 * Returns the position between two blocks at which to insert a picture for the current selection. At the beginning of a
 * block, the position is above the block. Inside a block, the block is split. After a selected picture, the position is
 * below that picture. Moves the cursor into the block below the position, or into a new paragraph, so the next picture
 * and the next text follow the picture.
 */
export function makeRoomForPicture(editor: Editor): number {
  const { $to } = editor.state.selection;
  const { image, paragraph } = editor.schema.nodes;
  if (!image || !paragraph) throw new Error('The schema must have images and paragraphs.');
  let position = $to.pos;
  if ($to.parent.isTextblock) {
    const [block, index] = [$to.node(-1), $to.index(-1)];
    // The first block of a list item must stay a paragraph.
    const fitsAbove = $to.parentOffset === 0 && block.canReplaceWith(index, index, image);
    if (!fitsAbove) editor.chain().setTextSelection($to.pos).splitBlock().run();
    position = editor.state.selection.$to.before();
  }
  const { tr } = editor.state;
  if (!tr.doc.resolve(position).nodeAfter?.isTextblock) tr.insert(position, paragraph.create());
  editor.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, position + 1)));
  return position;
}

/** Returns the position between two blocks that is nearest to the pointer. */
export function blockPositionAt(view: EditorView, { clientX: left, clientY: top }: MouseEvent): number {
  const { doc, schema } = view.state;
  const found = view.posAtCoords({ left, top });
  if (!found) return doc.content.size;
  const picture = schema.nodes['image']?.create();
  return dropPoint(doc, found.pos, new Slice(Fragment.from(picture), 0, 0)) ?? found.pos;
}

/** Inserts an image without moving the focus or the cursor, so the admin can keep typing. */
export function insertPicture(editor: Editor, picture: PickedMedia, position: number): void {
  const { url: src, alt, decorative, width, height } = picture;
  const attrs = { src, alt, decorative, ...(width && height ? { width, height } : {}) };
  editor.commands.insertContentAt(position, { type: 'image', attrs }, { updateSelection: false });
}

/**
 * Pastes a picture that was copied from a text on this site. The editor would select the pasted picture, and the next
 * paste would replace it.
 * @returns false if the pasted content is not just a picture.
 */
export function pastePicture(editor: Editor, { content }: Slice): boolean {
  if (content.childCount !== 1 || content.firstChild?.type.name !== 'image') return false;
  const position = makeRoomForPicture(editor);
  editor.view.dispatch(editor.state.tr.insert(position, content).scrollIntoView());
  return true;
}

function selectedText(editor: Editor): string {
  const { from, to } = editor.state.selection;
  return editor.state.doc.textBetween(from, to, ' ');
}

function textAttribute(editor: Editor, type: string, name: string): string {
  const value: unknown = editor.getAttributes(type)[name];
  return typeof value === 'string' ? value : '';
}
