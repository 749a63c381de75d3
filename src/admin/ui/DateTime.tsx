import { dayTimeText, zonedTimeText } from '../../lib/dates.ts';

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
