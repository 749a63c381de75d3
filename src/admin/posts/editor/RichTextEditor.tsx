import { Editor } from '@tiptap/core';
import { EditorContent } from '@tiptap/react';
import { memo, startTransition, useDeferredValue, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { numberText } from '../../../domain/text/text.ts';
import { readingMinutes, wordCount } from '../../../domain/posts/post-text.ts';
import { showToast } from '../../../lib/toast/toast.ts';
import { usePickMedia } from '../../lib/pick-media.tsx';
import styles from '../../styles/post-editor.css?url';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { type LinkAt, LinkDialog, linkAtCursor, putLink } from './LinkDialog.tsx';
import { focusDescription } from './PictureView.tsx';
import { Toolbar } from './Toolbar.tsx';
import { extensions } from './extensions.ts';
import { contentOf, htmlOf, unsupportedIn } from './html.ts';
import { cleanPasted } from './paste.ts';
import { blockPositionAt, insertPicture, makeRoomForPicture, pastePicture, usePictureUploads } from './pictures.ts';

interface RichTextEditorProps {
  html: string;
  /** A new number means that the parent replaced `html`. The editor shows the new text. Undo restores the old text. */
  edition: number;
  label: string;
  /** The id of the error message, if the text is invalid. */
  errorId: string | undefined;
  onChange: (html: string) => void;
}

/**
 * The editor of a post's text. A text with HTML that the editor does not support can only be read until the admin
 * converts it.
 */
export default function RichTextEditor({ html, edition, label, errorId, onChange }: RichTextEditorProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const [link, setLink] = useState<LinkAt | null>(null);
  const [unsupported, setUnsupported] = useState(() => unsupportedIn(html));
  const readOnly = unsupported.length > 0;
  const countedHtml = useDeferredValue(html);

  const [{ editor, given }] = useState(() => {
    const editor = new Editor({
      extensions,
      content: contentOf(html),
      // An injected style tag would violate the content security policy. editor.css contains the rules instead.
      injectCSS: false,
      // With its padding from the start. ProseMirror would scroll the form in Safari if the padding came later.
      editorProps: { attributes: { class: 'prose-editor' } },
    });
    /**
     * Maps the editor's serialization of a text to the HTML that the parent passed in. While the admin has not edited
     * the text, the parent gets its own HTML back and shows no unsaved changes.
     */
    return { editor, given: new Map(readOnly ? [] : [[htmlOf(editor), html]]) };
  });
  const uploads = usePictureUploads(editor);

  const report = useEffectEvent(() => {
    const written = htmlOf(editor);
    onChange(given.get(written) ?? written);
  });
  const takeFiles = useEffectEvent((data: DataTransfer | null, position?: number) => {
    const pictures = [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'));
    // Word processors copy text both as HTML and as an image of the text. The editor then uses only the HTML.
    if (pictures.length === 0 || data?.types.includes('text/html')) return false;
    void uploads.add(pictures, position);
    return true;
  });
  /** Leaves the text with Esc, because Tab indents lists and moves in tables. Ctrl+K opens the dialog for a link. */
  const onKeyDown = useEffectEvent((event: KeyboardEvent): boolean => {
    const isLinkKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    // Tab moves from a selected image to the fields below the image.
    const toFields = event.key === 'Tab' && !event.shiftKey && editor.isActive('image');
    if (event.key === 'Escape') root.current?.querySelector<HTMLElement>('.tool[tabindex="0"]')?.focus();
    else if (isLinkKey) setLink(linkAtCursor(editor));
    else if (!toFields || !focusDescription(editor.view.nodeDOM(editor.state.selection.from))) return false;
    event.preventDefault();
    return true;
  });
  const attributes = useEffectEvent(() => ({
    id: `${id}-text`,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    'aria-description': 'Press Esc to move to the toolbar.',
    class: 'prose post-body prose-editor',
    ...(errorId && { 'aria-invalid': 'true', 'aria-describedby': errorId }),
  }));
  useEffect(() => {
    editor.setOptions({
      editorProps: {
        attributes: () => attributes(),
        transformPastedHTML(pasted) {
          const { html: clean, picturesLeftOut } = cleanPasted(pasted);
          if (picturesLeftOut > 0) showPasteLoss(picturesLeftOut);
          return clean;
        },
        handlePaste: (_view, event, slice) => takeFiles(event.clipboardData) || pastePicture(editor, slice),
        handleDrop: (view, event, _slice, moved) =>
          !moved && takeFiles(event.dataTransfer, blockPositionAt(view, event)),
        handleKeyDown: (_view, event) => onKeyDown(event),
      },
    });
    editor.on('update', () => report());
    return () => editor.destroy();
  }, [editor]);
  useEffect(() => editor.view.updateState(editor.state), [editor, errorId]);

  const shown = useRef(edition);
  const show = useEffectEvent(() => {
    if (editor.isDestroyed) return;
    editor.commands.setContent(contentOf(html), { emitUpdate: false });
    const lost = unsupportedIn(html);
    if (lost.length === 0) given.set(htmlOf(editor), html);
    setUnsupported(lost);
  });
  useEffect(() => {
    if (shown.current === edition) return;
    shown.current = edition;
    // The editor renders images with `flushSync`, which React does not allow inside an effect.
    queueMicrotask(() => show());
  }, [edition]);

  useEffect(() => editor.setEditable(!readOnly, false), [editor, readOnly]);
  const focusText = () => editor.commands.focus(undefined, { scrollIntoView: false });
  const [openLibrary, library] = usePickMedia((picture) => {
    if (picture) insertPicture(editor, picture, makeRoomForPicture(editor));
    focusText();
  });

  return (
    <div
      ref={root}
      className="rich-text bg-raised rule-rule-strong data-invalid:[border-color:var(--color-alert)] data-invalid:[box-shadow:inset_0_0_0_1px_var(--color-alert)]"
      data-invalid={errorId}
    >
      {/* React shows the editor after these styles have arrived. */}
      <link rel="stylesheet" href={styles} precedence="default" />
      {readOnly ? (
        <div className="m-3">
          <Notice title="You can’t edit this text yet">
            <p>
              The text contains HTML elements that the editor doesn’t support:{' '}
              {unsupported.map((name) => `<${name}>`).join(', ')}. Saving the post keeps these elements. To edit the
              text, select “Convert and edit,” which removes them.
            </p>
            <Button
              onClick={() => {
                setUnsupported([]);
                onChange(htmlOf(editor));
              }}
            >
              Convert and edit
            </Button>
          </Notice>
        </div>
      ) : (
        <Toolbar
          editor={editor}
          controls={`${id}-text`}
          onLink={() => startTransition(() => setLink(linkAtCursor(editor)))}
          onLibrary={openLibrary}
          onUpload={() => files.current?.click()}
        />
      )}
      <input
        ref={files}
        hidden
        type="file"
        accept="image/*"
        multiple
        onChange={({ target }) => {
          void uploads.add([...(target.files ?? [])]);
          // Otherwise, no event would fire if the admin chose the same file again.
          target.value = '';
          focusText();
        }}
      />
      <div
        className="relative data-empty:before:pointer-events-none data-empty:before:absolute data-empty:before:inset-5 data-empty:before:text-ink-soft data-empty:before:[content:'Write_here,_or_paste_from_anywhere.']"
        data-empty={editor.isEmpty || undefined}
      >
        <EditorContent editor={editor} />
      </div>
      <p className="figures flex justify-between gap-4 px-3 py-1.5 text-xs text-ink-soft rule-t-rule [&_kbd]:line-height-[1.125rem]">
        <TextLength html={countedHtml} />
        {/* One line, so the page does not move under the pointer when a file is dropped. */}
        <span className="min-w-0 truncate" role="status">
          {uploads.status}
        </span>
        <span className="esc-hint whitespace-nowrap max-md:hidden">
          Press <kbd>Esc</kbd> to move to the toolbar
        </span>
      </p>
      {library}
      {link && (
        <LinkDialog
          link={link}
          onSave={(saved) => {
            setLink(null);
            putLink(editor, saved);
          }}
          onRemove={() => {
            setLink(null);
            editor.chain().focus().extendMarkRange('link').unsetLink().run();
          }}
          onClose={() => setLink(null)}
        />
      )}
    </div>
  );
}

/** The length of a text. Renders only when `html` changes, because counting the words of a long text takes time. */
const TextLength = memo(function TextLength({ html }: { html: string }) {
  const words = wordCount(html);
  return (
    <span className="whitespace-nowrap">
      {words === 1 ? '1 word' : `${numberText(words)} words`} · {readingMinutes(html)} min read
    </span>
  );
});

function showPasteLoss(pictures: number): void {
  showToast({
    title: pictures === 1 ? 'One picture was left out' : `${pictures} pictures were left out`,
    description:
      'Pictures from other programs and sites can’t be pasted. Save the pictures on your device, then upload them here.',
  });
}
