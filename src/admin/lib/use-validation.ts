import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { fieldErrors } from '../../domain/errors.ts';

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
    check: <T>(schema: z.ZodMiniType<T>, values: unknown): T | null => {
      const parsed = z.safeParse(schema, values);
      show(parsed.success ? {} : fieldErrors(parsed.error));
      return parsed.success ? parsed.data : null;
    },
  };
}
