import type { ReactNode } from 'react';
import { clockText, dayTimeText, zonedTimeText } from '../../lib/dates.ts';

/** A row of a description list: the label and the value. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid min-h-(--control) grid-cols-[6rem_minmax(0,1fr)] items-center rule-b-rule">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="flex items-center justify-between gap-2 wrap-anywhere not-has-[button]:py-1">{children}</dd>
    </div>
  );
}
/**
 * A time in the admin's time zone (docs/product.md#dates-and-times). The tooltip shows the time in UTC.
 * @param props.zoned adds the name of the time zone; for times in the future.
 */
export function DateTime({ iso, zoned = false }: { iso: string; zoned?: boolean }) {
  return (
    <time dateTime={iso} title={iso} className="date-time">
      {zoned ? zonedTimeText(iso) : dayTimeText(iso)}
    </time>
  );
}

/** A time after the word that says what happened then. */
export function Dated({ label, ...time }: { label: string; iso: string; zoned?: boolean }) {
  return (
    <>
      {label} <DateTime {...time} />
    </>
  );
}

/** Returns a time as the time of day if it is today, else with its date. */
export function momentText(iso: string): string {
  const date = new Date(iso);
  return date.toDateString() === new Date().toDateString() ? clockText(date) : dayTimeText(iso);
}
