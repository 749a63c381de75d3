/**
 * The moment that a `datetime-local` field means, in the zone of the browser.
 *
 * Twice a year that is a question, and JavaScript answers it: a local time that the clocks jump over is taken as much later
 * as they jump (2:30 AM becomes 3:30 AM), and of one that they show twice it is the first. The form shows what came of it,
 * with the zone's name.
 * @param value such as `2026-11-02T09:00`; '' while the field is empty or unfinished.
 * @returns ISO 8601, UTC; '' for none.
 */
export function momentOf(value: string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** A moment as a `datetime-local` field has it, in the zone of the browser; the reverse of {@link momentOf}. */
export function fieldTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const two = (figure: number) => String(figure).padStart(2, '0');
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
