// Cached, because creating a formatter takes about 100 times as long as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

function textOf(date: Date, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('en-US', options);
  formatters.set(key, formatter);
  // Some versions of `Intl` write a narrow no-break space before AM.
  return formatter.format(date).replace(/\s/g, ' ');
}

const dayOptions = { month: 'short', day: 'numeric', year: 'numeric' } as const;

/**
 * Formats a day as 'MMM d, yyyy', such as `Jul 14, 2025` (docs/product.md#dates-and-times).
 * @param iso ISO 8601 with a time zone.
 * @param timeZone the firm's time zone on public pages, so that every visitor sees the same day.
 */
export function dayText(iso: string, timeZone: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : textOf(date, { ...dayOptions, timeZone });
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
  // Joins the two parts, because `Intl` writes a comma between them.
  const time = textOf(date, { hour: 'numeric', minute: '2-digit', timeZone });
  return `${textOf(date, { ...dayOptions, timeZone })} ${time}`;
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
function clockText(date: Date): string {
  const hours = date.getHours();
  return `${hours % 12 || 12}:${String(date.getMinutes()).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** Returns a time as people say it: the time of day if it is today, else with `Yesterday` or its date. */
export function momentText(iso: string): string {
  const date = new Date(iso);
  const isDay = (daysAgo: number) => date.toDateString() === new Date(Date.now() - daysAgo * 86_400_000).toDateString();
  if (isDay(0)) return clockText(date);
  return isDay(1) ? `Yesterday ${clockText(date)}` : dayTimeText(iso);
}

/** Returns a {@link dayTimeText} with the abbreviation of its time zone, such as `Jul 14, 2025 3:05 PM PDT`. */
export function zonedTimeText(iso: string, timeZone?: string): string {
  const text = dayTimeText(iso, timeZone);
  const zone = text && textOf(new Date(iso), { timeZoneName: 'short', timeZone }).split(' ').at(-1);
  return text && `${text} ${zone}`;
}

/**
 * Formats a calendar day as 'MMMM d, yyyy', such as `July 14, 2025`. The day is the same in every time zone.
 * @param day `yyyy-mm-dd`.
 */
export function writtenDay(day: string): string {
  return textOf(new Date(`${day}T00:00:00Z`), { ...dayOptions, month: 'long', timeZone: 'UTC' });
}
