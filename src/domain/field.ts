import * as z from 'zod/mini';
import { emailField, longestEmail, longestText, textField } from './text/plain-text.ts';

/*
 * Each form field is declared once, next to the schema of its record (`inquiryFields`, `applicationFields`). The form,
 * its validation ({@link fieldSchema}), the database, emails, lists and CSV files use the declaration.
 */

interface CommonField {
  /** Label on the form. The form appends "(optional)" to the label of an optional field. */
  readonly label: string;
  /** Label in lists, emails and CSV files, if `label` is too long there. */
  readonly short?: string;
  /** The field may be left empty. */
  readonly optional?: true;
  /** Error message if the field is missing, too short, or not one of the options. */
  readonly message?: string;
  /** The field has a column in the admin's list. */
  readonly inList?: true;
  /**
   * The admin shows a copy button for the field. The button's label contains this name, such as `phone number`. A
   * submission in which the field is empty is shown without the field.
   */
  readonly copied?: string;
}

/**
 * A text field of one line (`line`) or several lines (`lines`). The admin's view of a submission shows a text of
 * several lines below the other fields.
 */
export interface TextField extends CommonField {
  readonly kind: 'line' | 'lines';
  /** Minimum length in characters. Default: 1, or 0 for an optional field. */
  readonly min?: number;
  /** Maximum length in characters. Default: 200 for `line`, and 10,000 for `lines`. */
  readonly max?: number;
  /** Attributes of the HTML control: `type`, `autocomplete` and `rows`. */
  readonly type?: 'tel';
  readonly autocomplete?: 'name' | 'organization' | 'tel';
  readonly rows?: number;
}

export interface EmailField extends CommonField {
  readonly kind: 'email';
  readonly message: string;
  readonly optional?: never;
}

interface Option {
  /** The value that the form sends and the database stores. */
  readonly value: string;
  readonly label: string;
}

/** A field with a list of options, of which one can be chosen. */
interface ChoiceField extends CommonField {
  readonly kind: 'choice';
  readonly options: readonly Option[];
  /** Label of an empty option at the top. Without it, one of `options` is always chosen. */
  readonly placeholder?: string;
  readonly message: string;
}

export type Field = TextField | EmailField | ChoiceField;

/** The fields of a record by name, in the order of the form. */
export type Fields = Readonly<Record<string, Field>>;

/** Type of a submitted form, in which an optional field may be the empty string. */
export type InputOf<F extends Fields> = Readonly<Record<keyof F, string>>;

/**
 * Returns the schema of the fields in a stored record. Any text is accepted, because limits and options may have
 * changed since the record was stored.
 */
/* @__NO_SIDE_EFFECTS__ */
export function recordShape<F extends Fields>(fields: F) {
  const shape = Object.keys(fields).map((name) => [name, z.string()]);
  return Object.fromEntries(shape) as Record<keyof F, z.ZodMiniString>;
}

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
  return z.object(Object.fromEntries(shape) as Record<keyof F, z.ZodMiniType<string>>);
}

export const formLabel = ({ label, optional }: Field): string => (optional ? `${label} (optional)` : label);

/** Returns the label for lists, emails and CSV files. */
export const shortLabel = ({ label, short = label }: Field): string => short;

/** Returns the text to show for a stored value: an option's label, or the value if no option has it. */
export function valueText(field: Field, value: string): string {
  if (field.kind !== 'choice') return value;
  return field.options.find((option) => option.value === value)?.label ?? value;
}

/** A field of a record with its label and the text to show. */
export interface Shown {
  readonly name: string;
  readonly field: Field;
  readonly label: string;
  readonly text: string;
}

/** Returns the fields of a record with their texts, in the order of the form. */
export function shownFields(fields: Fields, record: Readonly<Record<string, unknown>>): Shown[] {
  return Object.entries(fields).map(([name, field]) => {
    const value = record[name];
    const text = typeof value === 'string' ? valueText(field, value) : '';
    return { name, field, label: shortLabel(field), text };
  });
}
