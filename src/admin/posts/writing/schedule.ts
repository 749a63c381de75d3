import { scheduleOf } from '../../../domain/post-text.ts';
import { zonedTimeText } from '../../../lib/dates.ts';
import type { PostForm } from '../post-form.ts';

/**
 * Says what saving the form does: who can read the post, and when.
 * @param wasPublished whether visitors can see the saved post.
 */
export function outcomeOf(form: PostForm, wasPublished: boolean): string {
  const schedule = scheduleOf(form);
  if (schedule !== null) {
    const offUntil = wasPublished ? ' Until then, the post is off the blog.' : '';
    return `The site will publish the post on ${zonedTimeText(schedule)}.${offUntil}`;
  }
  if (form.status === 'draft') {
    return wasPublished
      ? 'Saving takes the post off the blog.'
      : 'Only admins, and people with a share link, can read the post.';
  }
  return form.publishAt === ''
    ? 'Everyone can read the post as soon as you save it.'
    : `Saving publishes the post now, not on ${zonedTimeText(form.publishAt)}.`;
}

/**
 * Converts the value of a `datetime-local` field, in the browser's time zone, to UTC.
 * JavaScript decides the two ambiguous cases of a time change: a local time that the clocks skip moves forward by the
 * skipped time (2:30 a.m. becomes 3:30 a.m.), and a local time that occurs twice means the first one. The form shows
 * the result with the time zone's name.
 * @param value such as `2026-11-02T09:00`; '' while the field is empty or incomplete.
 * @returns ISO 8601, UTC; '' if the value is not a valid time.
 */
export function momentOf(value: string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/**
 * Converts a UTC time to the value of a `datetime-local` field, in the browser's time zone. The reverse of {@link
 * momentOf}.
 */
export function fieldTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const two = (figure: number) => String(figure).padStart(2, '0');
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
