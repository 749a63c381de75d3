import { type Shown, shownFields } from '../../domain/field-text.ts';
import { type Submission, kindNameOf, kindOf } from './kinds.ts';

/** Returns the fields of a submission as text. */
export const shownOf = (submission: Submission): Shown[] =>
  shownFields(kindOf(kindNameOf(submission)).fields, submission);

/** Multiline text is shown in full, below the other fields. */
export const isLong = ({ field }: Shown): boolean => field.kind === 'lines';
