/*
 * Formats dates for display. Assembles texts from the parts that `Intl` returns, because a complete text from `Intl`
 * has a comma before the time and, in some versions, a narrow no-break space before AM.
 */
type Part = Intl.DateTimeFormatPartTypes;

// Cached, because creating a formatter takes about 100 times as long as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('en-US', options);
  formatters.set(key, formatter);
  return formatter;
}

function partsOf(date: Date, options: Intl.DateTimeFormatOptions): (type: Part) => string {
  const parts = formatterOf(options).formatToParts(date);
  return (type) => parts.find((part) => part.type === type)?.value ?? '';
}

const dayOptions = { month: 'short', day: 'numeric', year: 'numeric' } as const;

/**
 * Formats a day as 'MMM d, yyyy', such as `Jul 14, 2025` (docs/product.md#dates-and-times).
 * @param iso ISO 8601 with a time zone.
 * @param timeZone the firm's time zone on public pages, so that every visitor sees the same day.
 */
export function dayText(iso: string, timeZone: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const part = partsOf(date, { ...dayOptions, timeZone });
  return `${part('month')} ${part('day')}, ${part('year')}`;
}

/** Returns the day of the month from a {@link dayText}, such as `14`. */
export function dayFigure(text: string): string {
  return /\d+/.exec(text)?.[0] ?? '';
}

/**
 * Formats a time as 'MMM d, yyyy h:mm a', such as `Jul 14, 2025 3:05 PM` (docs/product.md#dates-and-times).
 * @param iso ISO 8601 with a time zone.
 * @param timeZone the browser's time zone by default.
 */
export function dayTimeText(iso: string, timeZone?: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (timeZone === undefined) return ownTimeText(date);
  const part = partsOf(date, { ...dayOptions, hour: 'numeric', minute: '2-digit', hour12: true, timeZone });
  const day = `${part('month')} ${part('day')}, ${part('year')}`;
  return `${day} ${part('hour')}:${part('minute')} ${part('dayPeriod')}`;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * Returns a {@link dayTimeText} in the browser's time zone without `Intl`, which would delay the admin's lists by 40 ms
 * on a slow phone.
 */
function ownTimeText(date: Date): string {
  return `${months[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()} ${clockText(date)}`;
}

/** Returns the time of day in the browser's time zone, such as `3:05 PM`. */
export function clockText(date: Date): string {
  const hours = date.getHours();
  return `${hours % 12 || 12}:${String(date.getMinutes()).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** Returns a {@link dayTimeText} with the abbreviation of its time zone, such as `Jul 14, 2025 3:05 PM PDT`. */
export function zonedTimeText(iso: string, timeZone?: string): string {
  const text = dayTimeText(iso, timeZone);
  return text && `${text} ${partsOf(new Date(iso), { timeZoneName: 'short', timeZone })('timeZoneName')}`;
}

/**
 * Formats a calendar day as 'MMMM d, yyyy', such as `July 14, 2025`. The day is the same in every time zone.
 * @param day `yyyy-mm-dd`.
 */
export function writtenDay(day: string): string {
  const part = partsOf(new Date(`${day}T00:00:00Z`), {
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${part('month')} ${part('day')}, ${part('year')}`;
}
