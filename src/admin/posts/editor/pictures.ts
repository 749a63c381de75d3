import type { Editor } from '@tiptap/core';
import { Fragment, Slice } from '@tiptap/pm/model';
import { TextSelection, type Transaction } from '@tiptap/pm/state';
import { dropPoint } from '@tiptap/pm/transform';
import type { EditorView } from '@tiptap/pm/view';
import { useState } from 'react';
import { apiPaths } from '../../../domain/api-paths.ts';
import { type MediaRecord, mediaAnswer } from '../../../domain/site/media.ts';
import { showToast } from '../../../lib/toast/toast.ts';
import { errorText } from '../../lib/act.ts';
import { useSendFile } from '../../lib/send-file.ts';

/**
 * Uploads images to the media library one after the other. Inserts each image at the drop position or where the cursor
 * was, even if the text changes during the upload.
 */
export function usePictureUploads(editor: Editor) {
  const sendFile = useSendFile();
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  const upload = { purpose: 'media', url: apiPaths.media, field: 'file', schema: mediaAnswer } as const;
  const add = async (files: readonly File[], start = makeRoomForPicture(editor)): Promise<void> => {
    let position = start;
    const follow = ({ transaction }: { transaction: Transaction }) => {
      position = transaction.mapping.map(position);
    };
    editor.on('transaction', follow);
    setWaiting((names) => [...names, ...files.map(({ name }) => name)]);
    for (const file of files) {
      try {
        const { data: picture } = await sendFile(file, upload);
        if (!editor.isDestroyed) insertPicture(editor, picture, position);
      } catch (error) {
        const description = `${file.name}: ${errorText(error)}`;
        showToast({ title: 'Failed to upload file', description, variant: 'destructive' });
      }
      setWaiting((names) => names.toSpliced(names.indexOf(file.name), 1));
    }
    editor.off('transaction', follow);
  };
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more` : '';
  /** The text that tells the admin about the current upload; empty if no upload is running. */
  const status = waiting.length === 0 ? '' : `Uploading ${waiting[0]}${more}…`;
  return { add, status };
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
export function insertPicture(editor: Editor, picture: MediaRecord, position: number): void {
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
