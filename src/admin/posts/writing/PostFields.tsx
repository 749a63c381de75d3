import { type RefObject, useEffect, useState } from 'react';
import { postFields, postStatusNames, slugOf } from '../../../domain/posts/post-input.ts';
import { isPictureAddress } from '../../../domain/text/web-address.ts';
import { fetched } from '../../lib/fetched.tsx';
import { usePickMedia } from '../../lib/pick-media.tsx';
import { Button } from '../../ui/Button.tsx';
import { Check, Field, TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { type PostForm, outcomeOf, undescribedPictures } from './post-form.ts';
import type { Writer } from './use-writing.ts';
import { dayText } from '../../../lib/dates.ts';
import { useAct } from '../../lib/act.ts';

const RichTextEditor = fetched(() => import('../editor/RichTextEditor.tsx'), false);

/** The fields of a post. */
export function PostFields({ ref: root, writer }: { ref: RefObject<HTMLDivElement | null>; writer: Writer }) {
  const { text: form, errors, wrong, edit, post } = writer;

  useEffect(() => {
    if (wrong)
      root.current?.querySelector<HTMLElement>(`[name="${wrong.field}"], #${wrong.field} [role=textbox]`)?.focus();
  }, [wrong, root]);
  const [openLibrary, library] = usePickMedia((picked) => picked && edit({ featuredImage: picked.url }));
  const field = (name: 'title' | 'slug' | 'excerpt' | 'featuredImage') => ({
    name,
    label: postFields[name].label,
    error: errors[name],
    value: form[name],
    onText: (text: string) => edit({ [name]: text }),
  });
  const undescribed = undescribedPictures(form.content);
  const suggestion = errors['slug'] ? errors['suggestion'] : undefined;

  return (
    <div ref={root} className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] min-w-0 content-start gap-4">
        <TextField
          {...field('title')}
          focused={post === null}
          // A long title wraps, but has no line breaks. Safari does not fit the height to the title.
          rows={2}
          className="resize-none [field-sizing:content] [font-family:var(--font-display)] text-lg"
          onText={(title) => edit({ title: title.replaceAll('\n', ' ') })}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          required
          autoComplete="off"
        />
        <TextField
          {...field('slug')}
          before="/blog/"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={postFields.slug.max}
          onBlur={() => edit({ slug: slugOf(form.slug) })}
          after={suggestion && <Button onClick={() => edit({ slug: suggestion })}>Use “{suggestion}”</Button>}
        />
        <div id="content" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <span className="semibold">{postFields.content.label}</span>
          <RichTextEditor
            fallback={<span className="skeleton h-[max(21rem,100dvh-25rem)]" />}
            html={form.content}
            edition={writer.edition}
            label={postFields.content.label}
            errorId={errors['content'] && 'content-error'}
            onChange={(content) => edit({ content })}
          />
          {errors['content'] && (
            <p className="field-error" id="content-error">
              {errors['content']}
            </p>
          )}
        </div>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] min-w-0 content-start gap-4 self-start xl:sticky xl:top-0 xl:ps-6 xl:[border-inline-start:3px_double_var(--color-rule)]">
        <PostTime writer={writer} />
        <TextField {...field('excerpt')} rows={postFields.excerpt.rows} />
        <TextField
          {...field('featuredImage')}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="URL, or path on this site"
          after={
            <>
              {isPictureAddress(form.featuredImage) && (
                <img className="block h-auto max-h-40 max-w-full rule-rule" src={form.featuredImage} alt="" />
              )}
              <Button icon="picture" onClick={openLibrary}>
                Choose or upload picture
              </Button>
            </>
          }
        />
        {undescribed > 0 && (
          <p className="flex gap-2 [&>svg]:mt-1">
            <Icon name="warning" />
            {undescribed === 1 ? 'A picture has no description.' : `${undescribed} pictures have no description.`}
          </p>
        )}
      </div>
      {library}
    </div>
  );
}

/** The status of a post, the time of a scheduled post, and a date that the last save changed. */
function PostTime({ writer }: { writer: Writer }) {
  const { text: form, errors, edit, post, keepsDate } = writer;
  /** The time to show again if the admin returns from “Draft” to “Scheduled”. */
  const [lastTime, setLastTime] = useState('');
  const choose = (status: PostForm['status']) => {
    if (form.publishAt) setLastTime(form.publishAt);
    const times = { draft: '', scheduled: form.publishAt || lastTime, published: form.publishAt };
    edit({ status, publishAt: times[status] });
  };
  return (
    <>
      <Field label={postFields.status.label} hint={outcomeOf(form, Boolean(post?.publishedAt), keepsDate)}>
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
          hint={`Time zone: ${zoneName()}.`}
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

/** Returns the name of the admin's time zone, such as `Pacific Time`. */
function zoneName(): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'longGeneric' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}

/** Next to the button: whether a save keeps the date of a post that was published more than a day ago. */
export function KeepDate({ writer: { post, text, keepsDate, setKeepsDate } }: { writer: Writer }) {
  const date = post?.publishedAt;
  const [openedAt] = useState(() => Date.now());
  if (!date || text.status !== 'published' || openedAt - Date.parse(date) < 86_400_000) return null;
  return (
    <Check
      name="keepOriginalDate"
      label={`Keep the publication date ${ownDay(date)}`}
      checked={keepsDate}
      onChange={(event) => setKeepsDate(event.target.checked)}
    />
  );
}

/** After a save that changed the date of a post: the new date, and a button that restores the earlier one. */
function ChangedDate({ writer: { post, dateBefore, putBackDate } }: { writer: Writer }) {
  const putBack = useAct((_send, { id }: { id: string; day: string }) => putBackDate(id), {
    done: (_result, { day }) => ({ title: `Date restored: ${day}` }),
    failed: 'Couldn’t restore the date',
  });
  if (!post?.publishedAt || !dateBefore) return null;
  const day = ownDay(dateBefore);
  return (
    <p className="grid justify-items-start gap-1">
      <span>The post’s date is now {ownDay(post.publishedAt)}.</span>
      <Button icon="undo" pending={putBack.isPending} onClick={() => putBack.mutate({ id: post.id, day })}>
        Restore the date {day}
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
  const moment = Date.parse(iso);
  if (Number.isNaN(moment)) return '';
  return new Date(moment - new Date(moment).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
