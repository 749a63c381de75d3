import { useRef } from 'react';
import { safeParse } from 'zod/v4/core';
import { noteField } from '../../../domain/submissions/submission.ts';
import type { Submission } from '../../../domain/submissions/submission-kinds.ts';
import { useSaveKey } from '../../lists/use-list.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { UnsavedChoices, UnsavedLine } from '../../unsaved/Unsaved.tsx';
import { useUnsaved } from '../../unsaved/use-unsaved.ts';
import { kindOf } from '../kinds.ts';
import { useSaveNote } from '../queries.ts';

/** A note that only admins see. The button or Ctrl+S (Cmd+S on a Mac) saves the note. */
export function NoteField({ submission }: { submission: Submission }) {
  const form = useRef<HTMLFormElement>(null);
  const { mutateAsync: saveNote } = useSaveNote(submission);
  const note = useUnsaved<{ note: string }, Submission>({
    kind: 'note',
    id: submission.id,
    record: submission,
    read: (record) => ({ version: record.note, text: { note: record.note } }),
    parse: (current) => safeParse(kindOf(submission).record, current).data ?? null,
    save: ({ note: words }, base) => saveNote({ note: words, was: base ?? '' }),
    failed: 'Couldn’t save the note',
    reopen: () => kindOf(submission).list.open(submission.id),
  });
  const save = () => {
    if (note.changed) void note.save();
  };
  useSaveKey(form, save);
  return (
    <form
      ref={form}
      className="mt-6 grid gap-1.5"
      data-keep-clear=""
      onSubmit={(event) => {
        event.preventDefault();
        // The button disappears after the save, and its focus would be lost.
        event.currentTarget.querySelector('textarea')?.focus();
        save();
      }}
    >
      <UnsavedChoices
        noun="note"
        unsaved={note}
        plainText={(text) => text.note}
        onKeepMine={() => void note.save({}, note.conflict?.saved.version ?? undefined)}
      />
      <TextField
        label={noteField.label}
        className="min-h-17 [field-sizing:content]"
        rows={note.changed ? 4 : 2}
        maxLength={noteField.max}
        value={note.text.note}
        onText={(text) => note.edit({ note: text })}
      />
      {note.changed && (
        <>
          <UnsavedLine unsaved={note} />
          <div className="actions mt-2 *:max-md:grow">
            <Button type="submit" look="primary" pending={note.saving} pendingLabel="Saving…">
              Save note
            </Button>
          </div>
        </>
      )}
    </form>
  );
}
