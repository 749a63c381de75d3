import type { Editor } from '@tiptap/core';
import type { Transaction } from '@tiptap/pm/state';
import { useRef, useState } from 'react';
import { showToast } from '../../../lib/toast/toast.ts';
import { errorText } from '../../ui/error-text.ts';
import type { PickedMedia } from '../../ui/pick-media.ts';
import { type Range, insertPicture, pictureRange } from './places.ts';

/**
 * Uploads pictures and puts each where it was dropped, or where the cursor was then, however the text has changed meanwhile.
 */
export function useUploads(editor: Editor, upload: (file: File) => Promise<PickedMedia>) {
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  const queue = useRef(Promise.resolve());

  /** Follows a place in the text from now on. */
  const track = (range: Range) => {
    let { from, to } = range;
    const follow = ({ transaction: { mapping } }: { transaction: Transaction }) => {
      [from, to] = [mapping.map(from), mapping.map(to)];
    };
    editor.on('transaction', follow);
    return { now: (): Range => ({ from, to }), end: () => void editor.off('transaction', follow) };
  };

  const one = async (file: File, place: ReturnType<typeof track>) => {
    try {
      const picture = await upload(file);
      if (!editor.isDestroyed) insertPicture(editor, picture, place.now());
    } catch (error) {
      showToast({
        title: 'Failed to upload file',
        description: `${file.name}: ${errorText(error)}`,
        variant: 'destructive',
      });
    } finally {
      place.end();
      setWaiting((names) => names.slice(1));
    }
  };

  return {
    add(files: readonly File[], range = pictureRange(editor)): void {
      setWaiting((names) => [...names, ...files.map((file) => file.name)]);
      files.forEach((file, index) => {
        // Only the first one takes the place of a selected picture.
        const place = track(index === 0 ? range : { from: range.to, to: range.to });
        queue.current = queue.current.then(() => one(file, place));
      });
    },
    /** What is under way, for the person who waits; empty where nothing is. */
    status:
      waiting.length === 0
        ? ''
        : `Uploading ${waiting[0]}${waiting.length > 1 ? ` and ${waiting.length - 1} more` : ''}…`,
  };
}
