import type { Editor } from '@tiptap/core';
import { type SubmitEvent, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { linkOf } from './links.ts';

export interface LinkAt {
  /** The link's URL; empty for a new link. */
  readonly address: string;
  /** The link's text; empty if nothing is selected. */
  readonly words: string;
}

const hint = 'Enter a URL, an email address, or a path on this site, such as /contact.';

interface LinkDialogProps {
  link: LinkAt;
  onSave: (link: LinkAt) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** The dialog for the URL and the text of a link. */
export function LinkDialog({ link, onSave, onRemove, onClose }: LinkDialogProps) {
  const [words, setWords] = useState(link.words);
  const [typed, setTyped] = useState(link.address);
  const [wrong, setWrong] = useState(false);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const address = linkOf(typed);
    if (address === null) setWrong(true);
    else onSave({ address, words: words.trim() || address });
  };

  return (
    <Dialog title={link.address ? 'Change the link' : 'Add a link'} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit} noValidate>
        <TextField
          label="Link"
          {...(wrong ? { error: hint } : { hint })}
          focused
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onText={setTyped}
        />
        <TextField label="Text" value={words} onText={setWords} />
        <div className="actions">
          <Button type="submit" look="primary">
            {link.address ? 'Change link' : 'Add link'}
          </Button>
          {link.address && <Button onClick={onRemove}>Remove link</Button>}
        </div>
      </form>
    </Dialog>
  );
}

/**
 * Returns the link at the cursor and selects its whole text. If the cursor is not in a link, returns the selected text
 * and an empty URL.
 */
export function linkAtCursor(editor: Editor): LinkAt {
  const { href } = editor.getAttributes('link');
  const address = typeof href === 'string' ? href : '';
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

function selectedText(editor: Editor): string {
  const { from, to } = editor.state.selection;
  return editor.state.doc.textBetween(from, to, ' ');
}
