import type { Field, Fields } from './field.ts';

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
