/**
 * Dates as the site prints them. Built from parts, because the finished strings of `Intl` put a comma before the time
 * and, in some versions, a narrow no-break space before AM.
 */
type Part = Intl.DateTimeFormatPartTypes;

// Making a formatter costs a hundred times what using it does.
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
 * 'MMM d, yyyy', such as `Jul 14, 2025` (spec §9).
 * @param iso ISO 8601 with a zone.
 * @param timeZone the firm's zone on public pages, so that every visitor sees the same day.
 */
export function dayText(iso: string, timeZone: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const part = partsOf(date, { ...dayOptions, timeZone });
  return `${part('month')} ${part('day')}, ${part('year')}`;
}

/** The day of the month in a {@link dayText}, such as `14`. */
export function dayFigure(text: string): string {
  return /\d+/.exec(text)?.[0] ?? '';
}

/**
 * 'MMM d, yyyy h:mm a', such as `Jul 14, 2025 3:05 PM` (spec §9).
 * @param iso ISO 8601 with a zone.
 * @param timeZone the person's own zone unless given.
 */
export function dayTimeText(iso: string, timeZone?: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const part = partsOf(date, { ...dayOptions, hour: 'numeric', minute: '2-digit', hour12: true, timeZone });
  const day = `${part('month')} ${part('day')}, ${part('year')}`;
  return `${day} ${part('hour')}:${part('minute')} ${part('dayPeriod')}`;
}

/** A {@link dayTimeText} with the zone that holds at that moment, such as `Jul 14, 2025 3:05 PM PDT`. */
export function zonedTimeText(iso: string, timeZone?: string): string {
  const text = dayTimeText(iso, timeZone);
  return text && `${text} ${partsOf(new Date(iso), { timeZoneName: 'short', timeZone })('timeZoneName')}`;
}

/**
 * 'MMMM d, yyyy', such as `July 14, 2025`: a day of the calendar, the same for every reader.
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
