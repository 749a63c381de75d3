import { useId, useState } from 'react';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { errorText } from '../ui/error-text.ts';
import type { Submission } from './kinds.ts';
import { useNote } from './queries.ts';

const longest = 5_000;

/** A note that only admins see. It is saved by its button or with Ctrl or Cmd and Enter; what is not saved yet stays in the field. */
export function NoteField({ submission }: { submission: Submission }) {
  const id = useId();
  const [text, setText] = useState(submission.note);
  const save = useNote({
    onError: (error) =>
      showToast({ title: 'The note was not saved', description: errorText(error), variant: 'destructive' }),
  });
  const changed = text.trim() !== submission.note;
  const submit = () => changed && save.mutate({ submission, note: text });
  return (
    <form
      className="note-field field"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={id}>Private note</label>
      <textarea
        id={id}
        rows={2}
        maxLength={longest}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      {changed && (
        <Button type="submit" pending={save.isPending} pendingLabel="Saving…">
          Save note
        </Button>
      )}
    </form>
  );
}
