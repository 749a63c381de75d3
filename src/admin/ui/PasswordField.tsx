import { type Ref, useId, useState } from 'react';
import { useHydrated } from './hydrated.ts';

interface PasswordFieldProps {
  label: string;
  name: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  error?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
}

/** A password that can be shown while it is typed. It is the browser's own field, so that nothing filled in early is lost. */
export function PasswordField({ label, name, autoComplete, hint, error, inputRef }: PasswordFieldProps) {
  const id = useId();
  const hydrated = useHydrated();
  const [visible, setVisible] = useState(false);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-with-button">
        <input
          ref={inputRef}
          id={id}
          name={name}
          required
          type={visible ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        <button
          type="button"
          className="field-button"
          hidden={!hydrated}
          aria-controls={id}
          onClick={() => setVisible(!visible)}
        >
          {visible ? 'Hide' : 'Show'}
          <span className="unseen"> {label.toLowerCase()}</span>
        </button>
      </div>
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
