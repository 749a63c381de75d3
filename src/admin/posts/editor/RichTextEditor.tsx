import { EditorContent } from '@tiptap/react';
import { type Ref, useEffect, useEffectEvent, useId, useImperativeHandle, useRef, useState } from 'react';
import { readingMinutes, wordCount } from '../../../domain/post-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import type { PickMedia, PickedMedia } from '../../ui/pick-media.ts';
import { type LinkAt, LinkDialog } from './LinkDialog.tsx';
import { PictureDialog } from './PictureDialog.tsx';
import { Toolbar } from './Toolbar.tsx';
import { htmlOf, laidOut, lossOf } from './html-text.ts';
import { type OutlineItem, outlineOf } from './outline.ts';
import { insertPicture, linkAtCursor, pictureRange, putLink, selectPlace } from './places.ts';
import { contentOf } from './trusted-html.ts';
import { useTextEditor } from './use-text-editor.ts';
import { useUploads } from './use-uploads.ts';

interface TextState {
  readonly html: string;
  /** Headings, pictures and links in their order; empty in the HTML view. */
  readonly outline: readonly OutlineItem[];
}

/** What the form can ask of the editor. */
export interface EditorHandle {
  /** Puts another text in the place of this one; 'Undo' takes it back. */
  replace(html: string): void;
  /** Leads to a place of {@link TextState.outline}, or to the text. */
  focus(place?: number): void;
}

interface RichTextEditorProps {
  handle: Ref<EditorHandle>;
  /** The text to begin with; later ones come by {@link EditorHandle.replace}. */
  initial: string;
  label: string;
  invalid: boolean;
  onChange: (text: TextState) => void;
  pick: PickMedia | null;
  upload: (file: File) => Promise<PickedMedia>;
  /** A pasted text held so many pictures of other sites. */
  onPasteLoss: (pictures: number) => void;
}

/** The editor of a post's text: as it will look, or as HTML. */
export default function RichTextEditor(props: RichTextEditorProps) {
  const { initial, label, invalid, pick, onChange } = props;
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const [link, setLink] = useState<LinkAt | null>(null);
  const [picture, setPicture] = useState<{ replaced: boolean } | null>(null);

  const {
    editor,
    lost: lostAtFirst,
    html: asRead,
  } = useTextEditor({
    initial,
    attributes: {
      id: `${id}-text`,
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': label,
      'aria-description': 'Esc leads to the buttons.',
      class: 'prose-editor',
    },
    onUpdate: () => report(htmlOf(editor)),
    onPictures: (files, place) => uploads.add(files, place === undefined ? undefined : { from: place, to: place }),
    onPasteLoss: props.onPasteLoss,
    onLinkKey: () => setLink(linkAtCursor(editor)),
    onLeave: () => root.current?.querySelector<HTMLElement>('.tool[tabindex="0"]')?.focus(),
  });
  const uploads = useUploads(editor, props.upload);
  const [source, setSource] = useState(lostAtFirst.length > 0 ? laidOut(initial) : null);
  const [lost, setLost] = useState<readonly string[]>(lostAtFirst);
  const [html, setHtml] = useState(initial);
  const words = wordCount(html);

  function report(written: string) {
    // The editor writes the same text in other words than the server.
    const next = written === asRead ? initial : written;
    setHtml(next);
    onChange({ html: next, outline: outlineOf(editor.state.doc) });
  }
  const begin = useEffectEvent(() => onChange({ html: initial, outline: outlineOf(editor.state.doc) }));
  useEffect(() => begin(), []);

  const write = (next: string) => {
    setSource(next);
    setHtml(next);
    onChange({ html: next, outline: [] });
  };
  const toHtml = () => {
    setLost([]);
    setSource(laidOut(htmlOf(editor)));
  };
  /** @param accepting what the visual editor would leave out has been said, and is to go. */
  const toVisual = (accepting: boolean) => {
    if (source === null) return;
    editor.commands.setContent(contentOf(source), { emitUpdate: false });
    const found = lossOf(source, htmlOf(editor));
    if (found.length > 0 && !accepting) {
      setLost(found);
      return;
    }
    setLost([]);
    setSource(null);
    report(htmlOf(editor));
  };

  useImperativeHandle(props.handle, () => ({
    replace(next) {
      if (source === null) editor.commands.setContent(contentOf(next), { emitUpdate: true });
      else write(laidOut(next));
    },
    focus(place) {
      if (source !== null) area.current?.focus();
      else if (place === undefined) editor.commands.focus();
      else selectPlace(editor, place);
    },
  }));

  return (
    <div ref={root} className="rich-text" data-invalid={invalid || undefined}>
      {source === null ? (
        <>
          <Toolbar
            editor={editor}
            controls={`${id}-text`}
            onLink={() => setLink(linkAtCursor(editor))}
            onPicture={() => setPicture({ replaced: editor.isActive('image') })}
            onHtml={toHtml}
          />
          <div className="rich-text-page" data-empty={editor.isEmpty || undefined}>
            <EditorContent editor={editor} />
          </div>
        </>
      ) : (
        <>
          <div className="toolbar">
            <Button look="quiet" icon="pencil" onClick={() => toVisual(false)}>
              Visual editor
            </Button>
            <span className="toolbar-note">HTML view</span>
          </div>
          <textarea
            ref={area}
            className="html-view"
            aria-label={`${label}, as HTML`}
            spellCheck={false}
            value={source}
            onChange={(event) => write(event.target.value)}
          />
        </>
      )}
      <p className="rich-text-foot figures">
        <span>
          {words === 1 ? '1 word' : `${words.toLocaleString('en-US')} words`} · {readingMinutes(html)} min read
        </span>
        <span role="status">{uploads.status}</span>
        <span className="esc-hint">
          <kbd>Esc</kbd> to the buttons
        </span>
      </p>
      {lost.length > 0 && source !== null && (
        <Notice title="The visual editor does not know all of this">
          <p>It would leave out: {lost.join(', ')}. The HTML view keeps everything.</p>
          <Button onClick={() => toVisual(true)}>Go on without these</Button>
        </Notice>
      )}
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
      {picture && (
        <PictureDialog
          replacing={picture.replaced}
          pick={pick}
          onPick={(picked) => {
            setPicture(null);
            insertPicture(editor, picked, pictureRange(editor));
            editor.commands.focus(undefined, { scrollIntoView: false });
          }}
          onFiles={(files) => {
            setPicture(null);
            uploads.add(files);
          }}
          onClose={() => setPicture(null)}
        />
      )}
    </div>
  );
}
