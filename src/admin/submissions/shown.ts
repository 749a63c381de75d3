import { type Shown, shownFields } from '../../domain/field-text.ts';
import { type Submission, kindNameOf, kindOf } from './kinds.ts';

/** Returns the fields of a submission as text. */
export const shownOf = (submission: Submission): Shown[] =>
  shownFields(kindOf(kindNameOf(submission)).fields, submission);

/** Whether the field contains multiline text, which is shown below the other fields. */
export const isLong = ({ field }: Shown): boolean => field.kind === 'lines';
