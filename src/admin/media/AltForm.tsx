import { type SubmitEvent, useId, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { fieldErrors } from '../../domain/errors.ts';
import { type MediaRecord, mediaInput } from '../../domain/media.ts';
import { ApiError } from '../../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { autofocus } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
import { useDescribe } from './queries.ts';

interface AltFormProps {
  file: MediaRecord;
  /** The words on the button. */
  save: string;
  /** The form is what its dialog is for. */
  focused?: boolean;
  onSaved: (file: MediaRecord) => void;
}

/** What a picture shows, for those who cannot see it; or that it only decorates. */
export function AltForm({ file, save, focused = false, onSaved }: AltFormProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [decorative, setDecorative] = useState(file.decorative);
  const [error, setError] = useState<string>();
  const describe = useDescribe();

  const refuse = (message: string | undefined) => {
    setError(message);
    field.current?.focus();
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (describe.isPending) return;
    const alt = field.current?.value ?? '';
    const parsed = z.safeParse(mediaInput, { alt, decorative });
    if (!parsed.success) return refuse(fieldErrors(parsed.error).alt);
    setError(undefined);
    describe.mutate(
      { id: file.id, input: parsed.data },
      {
        onSuccess: onSaved,
        onError: (failure) => {
          if (failure instanceof ApiError && failure.errors?.alt) refuse(failure.errors.alt);
        },
      },
    );
  };

  return (
    <form className="alt-form" noValidate onSubmit={submit}>
      {describe.isError && !error && (
        <Notice variant="destructive" title="The description was not saved">
          <p>{errorText(describe.error)}</p>
        </Notice>
      )}
      <div className="field">
        <label htmlFor={id}>Description</label>
        <textarea
          ref={(element) => {
            field.current = element;
            if (focused) autofocus(element);
          }}
          id={id}
          rows={3}
          maxLength={300}
          defaultValue={file.alt}
          disabled={decorative}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
        />
        <p id={`${id}-hint`} className="field-hint">
          What the picture shows, in a sentence, for people who cannot see it.
        </p>
        {error && (
          <p id={`${id}-error`} className="field-error">
            {error}
          </p>
        )}
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={decorative}
          onChange={(event) => {
            setDecorative(event.target.checked);
            setError(undefined);
          }}
        />
        <span>Decorative: it says nothing that the text beside it does not</span>
      </label>
      <Button type="submit" look="primary" pending={describe.isPending} pendingLabel="Saving…">
        {save}
      </Button>
    </form>
  );
}
