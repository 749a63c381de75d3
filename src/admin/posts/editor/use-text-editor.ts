import { Editor } from '@tiptap/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { extensions } from './extensions.ts';
import { htmlOf } from './html-text.ts';
import { cleanPasted } from './paste.ts';
import { focusDescription } from './PictureView.tsx';
import { blockPositionAt, pastePicture } from './positions.ts';
import { contentOf } from './trusted-html.ts';

interface TextEditorOptions {
  /** The initial text, as HTML. */
  initial: string;
  attributes: Record<string, string>;
  onUpdate: () => void;
  /** Called when images were dropped at a position, or pasted at the cursor. */
  onPictures: (files: readonly File[], position?: number) => void;
  /** Called with the number of images of other programs or sites that a paste lost. */
  onPasteLoss: (pictures: number) => void;
  onLinkKey: () => void;
  /** Called for Esc. Keyboard users leave the text with Esc, because Tab indents lists and moves in tables. */
  onLeave: () => void;
}

/**
 * Creates an editor and destroys it when the component unmounts.
 * @returns the editor, and the initial text as the editor serializes it.
 */
export function useTextEditor({ initial, attributes, ...handlers }: TextEditorOptions) {
  const [made] = useState(() => {
    const editor = new Editor({
      extensions,
      content: contentOf(initial),
      // An injected style tag would violate the content security policy. editor.css contains the rules instead.
      injectCSS: false,
      editorProps: { attributes },
    });
    return { editor, asRead: htmlOf(editor) };
  });
  const { editor } = made;
  const updated = useEffectEvent(handlers.onUpdate);
  const gotPictures = useEffectEvent(handlers.onPictures);
  const lostPictures = useEffectEvent(handlers.onPasteLoss);
  const linkKey = useEffectEvent(handlers.onLinkKey);
  const leave = useEffectEvent(handlers.onLeave);

  useEffect(() => {
    const takeFiles = (data: DataTransfer | null, position?: number) => {
      const pictures = [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'));
      // Word processors copy text both as HTML and as an image of the text. The editor then uses only the HTML.
      if (pictures.length === 0 || data?.types.includes('text/html')) return false;
      gotPictures(pictures, position);
      return true;
    };
    editor.setOptions({
      editorProps: {
        ...editor.options.editorProps,
        transformPastedHTML(pasted) {
          const clean = cleanPasted(pasted);
          if (clean.picturesLeftOut > 0) lostPictures(clean.picturesLeftOut);
          return clean.html;
        },
        handlePaste: (_view, event, slice) => takeFiles(event.clipboardData) || pastePicture(editor, slice),
        handleDrop: (view, event, _slice, moved) =>
          !moved && takeFiles(event.dataTransfer, blockPositionAt(view, event)),
        handleKeyDown(view, event) {
          if (event.key === 'Escape') {
            leave();
            return true;
          }
          // Tab moves from a selected image to the fields below the image.
          if (
            event.key === 'Tab' &&
            !event.shiftKey &&
            editor.isActive('image') &&
            focusDescription(view.nodeDOM(view.state.selection.from))
          ) {
            event.preventDefault();
            return true;
          }
          if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return false;
          event.preventDefault();
          linkKey();
          return true;
        },
      },
    });
    const onUpdate = () => updated();
    editor.on('update', onUpdate);
    return () => {
      editor.off('update', onUpdate);
      editor.destroy();
    };
  }, [editor]);

  return made;
}
