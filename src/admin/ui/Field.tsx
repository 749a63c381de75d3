import {
  type AllHTMLAttributes,
  type ComponentProps,
  type ReactNode,
  type Ref,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import * as z from 'zod/mini';
import { passwordFields, shortestPassword } from '../../domain/account/account.ts';
import { fieldErrors } from '../../domain/errors.ts';
import { ApiError } from '../../lib/request/api.ts';
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
        <p className="text-ink-soft" id={`${id}-hint`}>
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

interface TextFieldProps
  extends
    Omit<FieldProps, 'children' | 'hidden' | 'label'>,
    Omit<AllHTMLAttributes<HTMLElement>, 'children' | 'hidden' | 'label' | 'onChange'> {
  label: string;
  value: string;
  onText: (text: string) => void;
  /** Text in front of the control, which belongs to the value. */
  before?: string;
  /** Focuses the field when its dialog opens. */
  focused?: boolean;
  /** The number of lines; undefined for an input of a single line. */
  rows?: number | undefined;
}

/** A field for text. */
export function TextField({ label, hint, error, after, before, onText, focused = false, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} after={after}>
      {(control) => {
        const props = {
          ...input,
          ...control,
          ref: focused ? autofocus : undefined,
          onChange: (event: { target: { value: string } }) => onText(event.target.value),
        };
        if (input.rows !== undefined) return <textarea {...props} />;
        if (before === undefined) return <input {...props} />;
        return (
          <div className="flex items-center gap-1.5">
            <span className="whitespace-nowrap text-ink-soft" aria-hidden="true">
              {before}
            </span>
            <input {...props} />
          </div>
        );
      }}
    </Field>
  );
}

/**
 * The `ref` of the field to focus when the dialog opens. Sets the `autofocus` attribute, because `showModal` focuses
 * the element with this attribute. React's `autoFocus` prop does not set the attribute. The prop calls `focus()`, which
 * has no effect before the dialog is open.
 */
const autofocus = (field: HTMLElement | null): void => field?.setAttribute('autofocus', '');

/** A checkbox with its label. */
export function Check({ label, ...input }: { label: ReactNode } & ComponentProps<'input'>) {
  return (
    <label className="flex min-h-11 cursor-pointer gap-3 py-3">
      <input {...input} type="checkbox" className="size-5 flex-none" />
      <span>{label}</span>
    </label>
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
export function PasswordField({ label, hint, error, inputRef, ...input }: PasswordFieldProps) {
  const hydrated = useHydrated();
  const [visible, setVisible] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            {...input}
            className="pe-20"
            ref={inputRef}
            required
            type={visible ? 'text' : 'password'}
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

/** The field for a new password. */
export function NewPasswordField({ name, error }: Pick<PasswordFieldProps, 'name' | 'error'>) {
  return (
    <PasswordField
      label={passwordFields.next.label}
      name={name}
      autoComplete="new-password"
      hint={`At least ${shortestPassword} characters. A few unrelated words work well. Common passwords are refused.`}
      error={error}
    />
  );
}

interface FormOptions<T> {
  schema: z.ZodMiniType<T>;
  /** The change that the form sends. */
  act: { isPending: boolean; error: Error | null };
  /** Returns the values to check. By default, these are the texts of the fields. */
  values?: (data: FormData) => unknown;
  /** Sends valid values. `onError` shows the response's errors of fields. */
  send: (valid: T, onError: (error: Error) => void) => void;
}

/** Checks and sends a form, and shows one error for each field. The first field with an error gets the focus. */
export function useForm<T>({ schema, act, values = Object.fromEntries, send }: FormOptions<T>) {
  const [errors, showErrors] = useState<Readonly<Record<string, string>>>({});
  const ref = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const first = ref.current?.querySelector<HTMLInputElement>('[aria-invalid]');
    first?.focus();
    first?.select();
  }, [errors]);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (act.isPending) return;
    const { currentTarget } = event;
    const parsed = z.safeParse(schema, values(new FormData(currentTarget)));
    showErrors(parsed.success ? {} : fieldErrors(parsed.error));
    if (!parsed.success) return;
    send(parsed.data, (error) => {
      const found = (error instanceof ApiError && error.errors) || {};
      // Without any of these fields in the form, the form shows the message of the response.
      if (Object.keys(found).some((name) => currentTarget.elements.namedItem(name))) showErrors(found);
    });
  };
  return {
    /** The properties of the form's element. */
    form: { ref, onSubmit, noValidate: true },
    errors,
    showErrors,
    /** The error of the change, if no field shows it. */
    failure: Object.keys(errors).length === 0 ? act.error : null,
  };
}
