import { dayTimeText, zonedTimeText } from '../../lib/dates.ts';

/**
 * A moment in the admin's own zone (spec §9 format), with the absolute one on hover.
 * @param props.zoned names the zone too: for a moment that is still to come.
 */
export function DateTime({ iso, zoned = false }: { iso: string; zoned?: boolean }) {
  return (
    <time dateTime={iso} title={iso} className="date-time">
      {zoned ? zonedTimeText(iso) : dayTimeText(iso)}
    </time>
  );
}
