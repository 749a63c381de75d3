import type { TextField } from '../../domain/field.ts';
import { Field } from '../ui/Field.tsx';

interface SectionFieldProps {
  name: string;
  field: TextField;
  value: string;
  hint: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A multiline text field with its hint and its error. */
export function SectionField({ name, field, value, hint, error, onChange }: SectionFieldProps) {
  return (
    <Field label={field.label} hint={hint} error={error}>
      {(control) => (
        <textarea
          {...control}
          name={name}
          className={name === 'metadata' ? 'min-h-17' : undefined}
          rows={field.rows}
          value={value}
          spellCheck={name !== 'metadata'}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
