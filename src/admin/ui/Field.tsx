import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { fieldErrors } from '../../domain/errors.ts';
import { useHydrated } from '../lib/hydrated.ts';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  hidden?: boolean;
  /** Shown below the hint and the error. */
  after?: ReactNode;
  /** Renders the control with the given id and ARIA attributes. */
  children: (control: FieldControl) => ReactNode;
}

interface FieldControl {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

/** A control with its label, hint and error. */
export function Field({ label, hint, error, hidden, after, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field" hidden={hidden}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
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
      {after}
    </div>
  );
}

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
        <div className="relative">
          <input
            {...control}
            className="pe-20"
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
            className="button button-quiet absolute inset-y-0 end-0"
            hidden={!hydrated}
            aria-controls={control.id}
            onClick={() => setVisible(!visible)}
          >
            {visible ? 'Hide' : 'Show'}
            <span className="sr-only"> {label.toLowerCase()}</span>
          </button>
        </div>
      )}
    </Field>
  );
}

type Errors = Readonly<Record<string, string>>;

/** Checks a form and shows one error for each field. The first field with an error gets the focus. */
export function useValidation() {
  const [errors, show] = useState<Errors>({});
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const first = form.current?.querySelector<HTMLInputElement>('[aria-invalid]');
    first?.focus();
    first?.select();
  }, [errors]);

  return {
    form,
    errors,
    /** Shows the errors of a response. */
    show,
    /** Returns valid values; null if the form shows errors instead. */
    check: <T,>(schema: z.ZodMiniType<T>, values: unknown): T | null => {
      const parsed = z.safeParse(schema, values);
      show(parsed.success ? {} : fieldErrors(parsed.error));
      return parsed.success ? parsed.data : null;
    },
  };
}
