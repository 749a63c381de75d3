import * as z from 'zod/mini';
import type { EmailField, Field, Fields, TextField, ValueOf } from './field.ts';
import { emailField, longestEmail, longestText, textField } from './plain-text.ts';

/** Returns the minimum and maximum length of a field's text, in characters. */
export function boundsOf(field: TextField | EmailField): { readonly min: number; readonly max: number } {
  if (field.kind === 'email') return { min: 1, max: longestEmail };
  const { kind, optional, min = optional ? 0 : 1, max = longestText[kind] } = field;
  return { min, max };
}

/** Returns the schema of one field. The schema turns a missing optional field into an empty string. */
/* @__NO_SIDE_EFFECTS__ */
export function fieldSchema(field: Field): z.ZodMiniType<string> {
  const { optional, message = 'Please enter text.' } = field;
  if (field.kind === 'email') return emailField(message);
  if (field.kind === 'choice') {
    const values = field.options.map(({ value }) => value);
    return optional ? z._default(z.enum(['', ...values], message), '') : z.enum(values, message);
  }
  const text = textField(field.kind, message, boundsOf(field));
  return optional ? z._default(text, '') : text;
}

/** Returns the schema of a submitted form. The schema drops values that no field declares. */
/* @__NO_SIDE_EFFECTS__ */
export function inputSchema<F extends Fields>(fields: F) {
  const shape = Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]);
  return z.object(Object.fromEntries(shape) as { [Name in keyof F]: z.ZodMiniType<ValueOf<F[Name]>> });
}
