import { EditorContent } from '@tiptap/react';
import {
  type Ref,
  memo,
  startTransition,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { readingMinutes, wordCount } from '../../../domain/post-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import type { PickMedia, PickedMedia } from '../../lib/pick-media.ts';
import { type LinkAt, LinkDialog } from './LinkDialog.tsx';
import { PictureDialog } from './PictureDialog.tsx';
import { Toolbar } from './Toolbar.tsx';
import { htmlOf, lossOf } from './html-text.ts';
import { insertPicture, linkAtCursor, makeRoomForPicture, putLink } from './positions.ts';
import { contentOf } from './trusted-html.ts';
import { useTextEditor } from './use-text-editor.ts';
import { usePictureUploads } from './use-picture-uploads.ts';
import { numberText } from '../../../domain/text.ts';

export interface EditorHandle {
  focus(): void;
}

interface RichTextEditorProps {
  handle: Ref<EditorHandle>;
  html: string;
  /** A new number means that the parent replaced `html`. The editor shows the new text. Undo restores the old text. */
  edition: number;
  label: string;
  invalid: boolean;
  onChange: (html: string) => void;
  pick: PickMedia | null;
  upload: (file: File) => Promise<PickedMedia>;
  /** Called with the number of images of other programs or sites that a paste lost. */
  onPasteLoss: (pictures: number) => void;
}

/**
 * The editor of a post's text. A text with HTML that the editor does not support can only be read until the admin
 * converts it.
 */
export default function RichTextEditor(props: RichTextEditorProps) {
  const { html, edition, label, invalid, pick, onChange } = props;
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [link, setLink] = useState<LinkAt | null>(null);
  const [addsPicture, setAddsPicture] = useState(false);

  const { editor, asRead } = useTextEditor({
    initial: html,
    attributes: {
      id: `${id}-text`,
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': label,
      'aria-description': 'Press Esc to move to the toolbar.',
      class: 'prose post-body prose-editor',
    },
    onUpdate: () => report(),
    onPictures: (files, position) => uploads.add(files, position),
    onPasteLoss: props.onPasteLoss,
    onLinkKey: () => setLink(linkAtCursor(editor)),
    onLeave: () => root.current?.querySelector<HTMLElement>('.tool[tabindex="0"]')?.focus(),
  });
  const uploads = usePictureUploads(editor, props.upload);
  const [lost, setLost] = useState<readonly string[]>(() => lossOf(html, asRead));
  /**
   * Maps the editor's serialization of a text to the HTML that the parent passed in. While the admin has not edited the
   * text, the parent gets its own HTML back and shows no unsaved changes. Omits texts that the editor cannot represent.
   */
  const [given] = useState(() => new Map(lost.length > 0 ? [] : [[asRead, html]]));
  const readOnly = lost.length > 0;
  const countedHtml = useDeferredValue(html);

  function report() {
    const written = htmlOf(editor);
    onChange(given.get(written) ?? written);
  }

  const shown = useRef(edition);
  const show = useEffectEvent(() => {
    if (editor.isDestroyed) return;
    editor.commands.setContent(contentOf(html), { emitUpdate: false });
    const written = htmlOf(editor);
    const found = lossOf(html, written);
    if (found.length === 0) given.set(written, html);
    setLost(found);
  });
  useEffect(() => {
    if (shown.current === edition) return;
    shown.current = edition;
    // The editor renders images with `flushSync`, which React does not allow inside an effect.
    queueMicrotask(() => show());
  }, [edition]);

  useEffect(() => editor.setEditable(!readOnly, false), [editor, readOnly]);

  const convert = () => {
    setLost([]);
    report();
  };

  useImperativeHandle(props.handle, () => ({ focus: () => void editor.commands.focus() }));

  return (
    <div ref={root} className="rich-text" data-invalid={invalid || undefined}>
      {readOnly ? (
        <Notice title="The editor can’t show all of this text">
          <p>
            The editor doesn’t support these HTML elements: {lost.map((name) => `<${name}>`).join(', ')}. You can read
            the text here, and saving the post keeps all of its HTML. To edit the text, convert it. This removes the
            elements.
          </p>
          <Button onClick={convert}>Convert and edit</Button>
        </Notice>
      ) : (
        <Toolbar
          editor={editor}
          controls={`${id}-text`}
          onLink={() => startTransition(() => setLink(linkAtCursor(editor)))}
          onPicture={() => startTransition(() => setAddsPicture(true))}
        />
      )}
      <div className="rich-text-page" data-empty={editor.isEmpty || undefined}>
        <EditorContent editor={editor} />
      </div>
      <p className="rich-text-foot figures">
        <TextLength html={countedHtml} />
        <span role="status">{uploads.status}</span>
        <span className="esc-hint">
          Press <kbd>Esc</kbd> to move to the toolbar
        </span>
      </p>
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
      {addsPicture && (
        <PictureDialog
          pick={pick}
          onPick={(picked) => {
            setAddsPicture(false);
            insertPicture(editor, picked, makeRoomForPicture(editor));
            editor.commands.focus(undefined, { scrollIntoView: false });
          }}
          onFiles={(files) => {
            setAddsPicture(false);
            uploads.add(files);
            editor.commands.focus(undefined, { scrollIntoView: false });
          }}
          onClose={() => setAddsPicture(false)}
        />
      )}
    </div>
  );
}

/** The length of a text. Renders only when `html` changes, because counting the words of a long text takes time. */
const TextLength = memo(function TextLength({ html }: { html: string }) {
  const words = wordCount(html);
  return (
    <span>
      {words === 1 ? '1 word' : `${numberText(words)} words`} · {readingMinutes(html)} min read
    </span>
  );
});
