import { Editor } from '@tiptap/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { extensions } from './extensions.ts';
import { htmlOf, lossOf } from './html-text.ts';
import { cleanPasted } from './paste.ts';
import { focusDescription } from './PictureView.tsx';
import { blockPlaceAt } from './places.ts';
import { contentOf } from './trusted-html.ts';

interface TextEditorOptions {
  /** The text to begin with. */
  initial: string;
  attributes: Record<string, string>;
  onUpdate: () => void;
  /** Pictures were dropped at a place, or pasted at the cursor. */
  onPictures: (files: readonly File[], place?: number) => void;
  /** A pasted text held so many pictures of other sites. */
  onPasteLoss: (pictures: number) => void;
  onLinkKey: () => void;
  /** Esc: the way out of the text for those who have no mouse, because Tab may mean something in it. */
  onLeave: () => void;
}

/** An editor for as long as the component lives. @returns also the first text as it writes it, and what of it would be lost. */
export function useTextEditor({ initial, attributes, ...handlers }: TextEditorOptions) {
  const [made] = useState(() => {
    const editor = new Editor({
      extensions,
      content: contentOf(initial),
      // A style tag of its own would break the site's policy; the rules stand in editor.css.
      injectCSS: false,
      editorProps: { attributes },
    });
    const html = htmlOf(editor);
    return { editor, html, lost: lossOf(initial, html) };
  });
  const { editor } = made;
  const updated = useEffectEvent(handlers.onUpdate);
  const gotPictures = useEffectEvent(handlers.onPictures);
  const lostPictures = useEffectEvent(handlers.onPasteLoss);
  const linkKey = useEffectEvent(handlers.onLinkKey);
  const leave = useEffectEvent(handlers.onLeave);

  useEffect(() => {
    const takeFiles = (data: DataTransfer | null, place?: number) => {
      const pictures = [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'));
      // A word processor sends a picture of the text along with the text itself.
      if (pictures.length === 0 || data?.types.includes('text/html')) return false;
      gotPictures(pictures, place);
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
        handlePaste: (_view, event) => takeFiles(event.clipboardData),
        handleDrop: (view, event, _slice, moved) => !moved && takeFiles(event.dataTransfer, blockPlaceAt(view, event)),
        handleKeyDown(view, event) {
          if (event.key === 'Escape') {
            leave();
            return true;
          }
          // From a selected picture to the fields below it.
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
