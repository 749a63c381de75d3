import { useId } from 'react';

interface SectionFieldProps {
  label: string;
  name: string;
  rows: number;
  value: string;
  hint: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A text of several lines, with what it is for and what is wrong with it. */
export function SectionField({ label, name, rows, value, hint, error, onChange }: SectionFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        value={value}
        spellCheck={name !== 'metadata'}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-hint`} className="field-hint">
        {hint}
      </p>
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}
