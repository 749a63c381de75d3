import { useId } from 'react';
import { noteField } from '../../domain/submission-actions.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import type { Submission } from './kinds.ts';
import { useNoteWriting } from './use-note-writing.ts';

/** A note that only admins see. The button or Ctrl+Enter (Cmd+Enter on a Mac) saves the note. */
export function NoteField({ submission }: { submission: Submission }) {
  const id = useId();
  const note = useNoteWriting(submission);
  return (
    <form
      className="field mt-6"
      data-keep-clear=""
      onSubmit={(event) => {
        event.preventDefault();
        note.save();
      }}
    >
      <label htmlFor={id}>{noteField.label}</label>
      {note.conflict && (
        <Notice variant="destructive" title="Someone else changed this note while you were writing.">
          <p className="whitespace-pre-wrap">{submission.note || 'They deleted it.'}</p>
          <p>Your note is still in the field below and isn’t saved.</p>
        </Notice>
      )}
      <textarea
        id={id}
        rows={note.changed ? 4 : 2}
        maxLength={noteField.max}
        value={note.text}
        aria-describedby={`${id}-state`}
        onChange={(event) => note.change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          note.save();
        }}
      />
      <p id={`${id}-state`} className={note.unkept ? 'field-error' : 'field-hint'} role="status">
        {note.unkept
          ? 'This browser can’t back up unsaved changes. Save the note before you leave.'
          : note.changed && 'Unsaved changes. Backed up on this device.'}
      </p>
      {note.changed && (
        <div className="actions mt-2 *:max-md:grow">
          <Button type="submit" look="primary" pending={note.saving} pendingLabel="Saving…">
            {note.conflict && submission.note ? 'Replace their note' : 'Save note'}
          </Button>
          <Button onClick={note.discard}>{note.conflict ? 'Discard your note' : 'Discard'}</Button>
        </div>
      )}
    </form>
  );
}
