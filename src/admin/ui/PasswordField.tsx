import { type Ref, useState } from 'react';
import { useHydrated } from '../lib/hydrated.ts';
import { Field } from './Field.tsx';

interface PasswordFieldProps {
  label: string;
  name: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  error?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
}

/**
 * A password field with a button that shows the password. The input is uncontrolled, so text that was typed or
 * autofilled before hydration is not lost.
 */
export function PasswordField({ label, name, autoComplete, hint, error, inputRef }: PasswordFieldProps) {
  const hydrated = useHydrated();
  const [visible, setVisible] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="field-with-button">
          <input
            {...control}
            ref={inputRef}
            name={name}
            required
            type={visible ? 'text' : 'password'}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
          />
          <button
            type="button"
            className="button button-quiet field-button"
            hidden={!hydrated}
            aria-controls={control.id}
            onClick={() => setVisible(!visible)}
          >
            {visible ? 'Hide' : 'Show'}
            <span className="unseen"> {label.toLowerCase()}</span>
          </button>
        </div>
      )}
    </Field>
  );
}
