import { type SubmitEvent, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { fieldErrors } from '../../domain/errors.ts';
import { type MediaRecord, altField, decorativeLabel, mediaInput } from '../../domain/media.ts';
import { ApiError } from '../../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { autofocus } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../lib/error-text.ts';
import { useDescribe } from './queries.ts';

interface AltFormProps {
  file: MediaRecord;
  /** The label of the submit button. */
  save: string;
  /** Focuses the field when the dialog opens; for a dialog that contains only this form. */
  focused?: boolean;
  onSaved: (file: MediaRecord) => void;
}

/** The form for an image's text alternative, with a checkbox for decorative images. */
export function AltForm({ file, save, focused = false, onSaved }: AltFormProps) {
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
    <form className="grid justify-items-start gap-2" noValidate onSubmit={submit}>
      {describe.isError && !error && (
        <Notice variant="destructive" title="Couldn’t save the description">
          <p>{errorText(describe.error)}</p>
        </Notice>
      )}
      <Field
        label={altField.label}
        hint="Describe the picture in one sentence, for people who can’t see it."
        error={error}
      >
        {(control) => (
          <textarea
            {...control}
            ref={(element) => {
              field.current = element;
              if (focused) autofocus(element);
            }}
            rows={altField.rows}
            maxLength={altField.max}
            defaultValue={file.alt}
            className="disabled:text-ink-soft disabled:[background:none]"
            disabled={decorative}
          />
        )}
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={decorative}
          onChange={(event) => {
            setDecorative(event.target.checked);
            setError(undefined);
          }}
        />
        <span>{decorativeLabel}</span>
      </label>
      <Button type="submit" look="primary" pending={describe.isPending} pendingLabel="Saving…">
        {save}
      </Button>
    </form>
  );
}
