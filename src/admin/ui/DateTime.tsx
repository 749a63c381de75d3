import { dayTimeText } from '../../lib/dates.ts';

/** A moment in the admin's own zone (spec §9 format), with the absolute one on hover. */
export function DateTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={iso} className="date-time">
      {dayTimeText(iso)}
    </time>
  );
}
