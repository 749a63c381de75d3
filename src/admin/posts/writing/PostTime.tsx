import { useState } from 'react';
import { postFields, postStatusNames } from '../../../domain/post-input.ts';
import { dayText } from '../../../lib/dates.ts';
import { useAct } from '../../lib/act.ts';
import { Button } from '../../ui/Button.tsx';
import { Check, Field, TextField } from '../../ui/Field.tsx';
import { outcomeOf, type PostForm } from './post-form.ts';
import type { Writer } from './use-writing.ts';

/** The status of a post, the time of a scheduled post, and a date that the last save changed. */
export function PostTime({ writer }: { writer: Writer }) {
  const { text: form, errors, edit, post } = writer;
  /** The time to show again if the admin returns from “Draft” to “Scheduled”. */
  const [lastTime, setLastTime] = useState('');
  const choose = (status: PostForm['status']) => {
    if (form.publishAt) setLastTime(form.publishAt);
    const times = { draft: '', scheduled: form.publishAt || lastTime, published: form.publishAt };
    edit({ status, publishAt: times[status] });
  };
  return (
    <>
      <Field label={postFields.status.label} hint={outcomeOf(form, Boolean(post?.publishedAt))}>
        {(control) => (
          <select
            {...control}
            name="status"
            value={form.status}
            onChange={(event) => choose(event.target.value as PostForm['status'])}
          >
            {Object.entries(postStatusNames).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {form.status === 'scheduled' && (
        <TextField
          label={postFields.publishAt.label}
          error={errors['publishAt']}
          hint={`Your time zone is ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
          name="publishAt"
          type="datetime-local"
          required
          value={fieldTime(form.publishAt)}
          onText={(text) => edit({ publishAt: momentOf(text) })}
        />
      )}
      <ChangedDate writer={writer} />
    </>
  );
}

/** Posts show their date in the firm's time zone; an admin sees the date in their own, as everywhere in the admin area. */
const ownDay = (iso: string) => dayText(iso, Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Next to the button: whether a save keeps the date of a post that was published more than a day ago. */
export function KeepDate({ writer: { post, text, keepsDate, setKeepsDate } }: { writer: Writer }) {
  const date = post?.publishedAt;
  const [openedAt] = useState(() => Date.now());
  if (!date || text.status !== 'published' || openedAt - Date.parse(date) < 86_400_000) return null;
  return (
    <Check
      name="keepOriginalDate"
      label={`Keep the date ${ownDay(date)}`}
      checked={keepsDate}
      onChange={(event) => setKeepsDate(event.target.checked)}
    />
  );
}

/** After a save that changed the date of a post: the new date, and a button that puts the earlier one back. */
function ChangedDate({ writer: { post, dateBefore, putBackDate } }: { writer: Writer }) {
  const putBack = useAct((_send, { id }: { id: string; day: string }) => putBackDate(id), {
    done: (_result, { day }) => ({ title: `The post’s date is ${day} again` }),
    failed: 'Couldn’t put the date back',
  });
  if (!post?.publishedAt || !dateBefore) return null;
  const day = ownDay(dateBefore);
  return (
    <p className="grid justify-items-start gap-1">
      <span>The post’s date is now {ownDay(post.publishedAt)}.</span>
      <Button icon="undo" pending={putBack.isPending} onClick={() => putBack.mutate({ id: post.id, day })}>
        Put back {day}
      </Button>
    </p>
  );
}

/**
 * Converts the value of a `datetime-local` field, in the browser's time zone, to UTC.
 * JavaScript decides the two ambiguous cases of a time change: a local time that the clocks skip moves forward by the
 * skipped time (2:30 a.m. becomes 3:30 a.m.), and a local time that occurs twice means the first one. The form shows
 * the result with the time zone's name.
 * @param value such as `2026-11-02T09:00`; '' while the field is empty or incomplete.
 * @returns ISO 8601, UTC; '' if the value is not a valid time.
 */
function momentOf(value: string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/**
 * Converts a UTC time to the value of a `datetime-local` field, in the browser's time zone. The reverse of {@link
 * momentOf}.
 */
function fieldTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const two = (figure: number) => String(figure).padStart(2, '0');
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
