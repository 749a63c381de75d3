import type { ReactNode } from 'react';
import { dayTimeText, momentText, zonedTimeText } from '../../lib/dates.ts';

/**
 * A row of a description list: the label and the value.
 * @param props.iso the value, if the value is a time; null for a time that has not come, which shows no row.
 */
export function Fact({ label, iso, children }: { label: string; iso?: string | null; children?: ReactNode }) {
  if (iso === null) return null;
  return (
    <div className="grid min-h-(--control) grid-cols-[6rem_minmax(0,1fr)] items-center rule-b-rule">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="flex items-center justify-between gap-2 wrap-anywhere not-has-[button]:py-1">
        {iso ? <DateTime iso={iso} /> : children}
      </dd>
    </div>
  );
}

/**
 * A time in the admin's time zone (docs/product.md#dates-and-times). The tooltip shows the time in UTC.
 * @param props.exact shows the date even if it is today or yesterday.
 * @param props.zoned adds the name of the time zone; for times in the future.
 */
export function DateTime({ iso, exact, zoned }: { iso: string; exact?: boolean; zoned?: boolean }) {
  return (
    <time dateTime={iso} title={iso}>
      {zoned ? zonedTimeText(iso) : exact ? dayTimeText(iso) : momentText(iso)}
    </time>
  );
}
