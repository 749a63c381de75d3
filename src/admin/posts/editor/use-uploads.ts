import type { Editor } from '@tiptap/core';
import { useRef, useState } from 'react';
import { showToast } from '../../../lib/toast/toast.ts';
import { errorText } from '../../ui/error-text.ts';
import type { PickedMedia } from '../../ui/pick-media.ts';
import { insertPicture } from './places.ts';

/**
 * Uploads pictures and puts each where the cursor was when it began, however the text has changed meanwhile.
 */
export function useUploads(editor: Editor, upload: (file: File) => Promise<PickedMedia>) {
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  const queue = useRef(Promise.resolve());

  const one = async (file: File) => {
    let place = editor.state.selection.to;
    const follow = ({ transaction }: { transaction: { mapping: { map(at: number): number } } }) => {
      place = transaction.mapping.map(place);
    };
    editor.on('transaction', follow);
    try {
      const picture = await upload(file);
      if (!editor.isDestroyed) insertPicture(editor, picture, place);
    } catch (error) {
      showToast({
        title: 'Failed to upload file',
        description: `${file.name}: ${errorText(error)}`,
        variant: 'destructive',
      });
    } finally {
      editor.off('transaction', follow);
      setWaiting((names) => names.slice(1));
    }
  };

  return {
    add(files: readonly File[]): void {
      setWaiting((names) => [...names, ...files.map((file) => file.name)]);
      for (const file of files) queue.current = queue.current.then(() => one(file));
    },
    /** What is under way, for the person who waits; empty where nothing is. */
    status:
      waiting.length === 0
        ? ''
        : `Uploading ${waiting[0]}${waiting.length > 1 ? ` and ${waiting.length - 1} more` : ''}…`,
  };
}
