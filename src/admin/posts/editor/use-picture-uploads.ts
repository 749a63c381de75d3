import type { Editor } from '@tiptap/core';
import type { Transaction } from '@tiptap/pm/state';
import { useRef, useState } from 'react';
import { showToast } from '../../../lib/toast/toast.ts';
import { errorText } from '../../lib/act.ts';
import type { PickedMedia } from '../../lib/pick-media.ts';
import { insertPicture, makeRoomForPicture } from './positions.ts';

/**
 * Uploads images one after the other, and inserts each image at the drop position or where the cursor was, even if the
 * text changes during the upload.
 */
export function usePictureUploads(editor: Editor, upload: (file: File) => Promise<PickedMedia>) {
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  const queue = useRef(Promise.resolve());

  /** Keeps a position up to date while the text changes. `end` stops the updates. */
  const track = (start: number) => {
    let position = start;
    const follow = ({ transaction: { mapping } }: { transaction: Transaction }) => {
      position = mapping.map(position);
    };
    editor.on('transaction', follow);
    return { now: () => position, end: () => void editor.off('transaction', follow) };
  };

  const one = async (file: File, tracked: ReturnType<typeof track>) => {
    try {
      const picture = await upload(file);
      if (!editor.isDestroyed) insertPicture(editor, picture, tracked.now());
    } catch (error) {
      showToast({
        title: 'Failed to upload file',
        description: `${file.name}: ${errorText(error)}`,
        variant: 'destructive',
      });
    } finally {
      tracked.end();
      setWaiting((names) => names.slice(1));
    }
  };

  return {
    add(files: readonly File[], position = makeRoomForPicture(editor)): void {
      setWaiting((names) => [...names, ...files.map((file) => file.name)]);
      for (const file of files) {
        const tracked = track(position);
        queue.current = queue.current.then(() => one(file, tracked));
      }
    },
    /** The text that tells the admin about the current upload; empty if no upload is running. */
    status:
      waiting.length === 0
        ? ''
        : `Uploading ${waiting[0]}${waiting.length > 1 ? ` and ${waiting.length - 1} more` : ''}…`,
  };
}
