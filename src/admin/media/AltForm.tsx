import { type SubmitEvent, useState } from 'react';
import { type MediaRecord, altField, decorativeLabel, mediaInput } from '../../domain/media.ts';
import { Check, TextField, useValidation } from '../ui/Field.tsx';
import { Button } from '../ui/Button.tsx';
import { useDescribe } from './queries.ts';

interface AltFormProps {
  file: MediaRecord;
  /** The label of the submit button. */
  save: string;
  /** Focuses the field when the dialog opens; for a dialog that contains only this form. */
  focused?: boolean;
  onSaved?: (file: MediaRecord) => void;
}

/** The form for an image's text alternative, with a checkbox for decorative images. */
export function AltForm({ file, save, focused = false, onSaved }: AltFormProps) {
  const [input, setInput] = useState({ alt: file.alt, decorative: file.decorative });
  const { form, errors, check } = useValidation();
  const describe = useDescribe();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const valid = check(mediaInput, input);
    if (valid && !describe.isPending) describe.mutate({ id: file.id, input: valid }, { onSuccess: onSaved });
  };
  return (
    <form ref={form} className="grid justify-items-start gap-2" noValidate onSubmit={submit}>
      <TextField
        label={altField.label}
        hint="Describe the picture in one sentence, for people who can’t see it."
        error={input.decorative ? undefined : errors['alt']}
        focused={focused}
        rows={altField.rows}
        maxLength={altField.max}
        value={input.alt}
        onText={(alt) => setInput({ ...input, alt })}
        disabled={input.decorative}
      />
      <Check
        label={decorativeLabel}
        checked={input.decorative}
        onChange={(event) => setInput({ ...input, decorative: event.target.checked })}
      />
      <Button type="submit" look="primary" pending={describe.isPending} pendingLabel="Saving…">
        {save}
      </Button>
    </form>
  );
}
