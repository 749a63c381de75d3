import { type RefObject, useEffect, useRef, useState } from 'react';
import { postFields, postStatusNames, slugOf } from '../../../domain/post-input.ts';
import { showToast } from '../../../lib/toast/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { autofocus } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { fetched } from '../../lib/fetched.tsx';
import { usePickMedia } from '../../lib/pick-media.ts';
import { FeaturedImage } from './FeaturedImage.tsx';
import { PublishAt } from './PublishAt.tsx';
import { ChangedDate } from './PostDate.tsx';
import { outcomeOf } from './schedule.ts';
import { undescribedPictures } from '../post-form.ts';
import type { EditorHandle } from '../editor/RichTextEditor.tsx';
import { useUploadPicture } from './upload-picture.ts';
import type { Writer } from './use-writing.ts';

const RichTextEditor = fetched(() => import('../editor/RichTextEditor.tsx'));

interface PostFieldsProps {
  ref: RefObject<HTMLDivElement | null>;
  writer: Writer;
}

/** The fields of a post. */
export function PostFields({ ref: root, writer }: PostFieldsProps) {
  const editor = useRef<EditorHandle>(null);
  const pick = usePickMedia();
  const upload = useUploadPicture();
  const { text: form, errors, wrong, edit, post } = writer;
  const [wasNew] = useState(post === null);
  /** The edition of the form in which the admin chose “Scheduled”. The time may still be empty or incomplete. */
  const [scheduledEdition, setScheduledEdition] = useState<number | null>(null);
  /** The time to show again if the admin returns from “Draft” to “Scheduled”. */
  const [lastTime, setLastTime] = useState('');
  const isScheduled = form.publishAt !== '' || scheduledEdition === writer.edition;
  const status = form.status === 'draft' && isScheduled ? 'scheduled' : form.status;
  const choose = (next: string) => {
    setScheduledEdition(next === 'scheduled' ? writer.edition : null);
    if (form.publishAt) setLastTime(form.publishAt);
    if (next === 'published') edit({ status: next });
    else edit({ status: 'draft', publishAt: next === 'draft' ? '' : form.publishAt || lastTime });
  };

  useEffect(() => {
    if (wrong?.field === 'content') editor.current?.focus();
    else if (wrong) root.current?.querySelector<HTMLElement>(`[name="${wrong.field}"]`)?.focus();
  }, [wrong, root]);
  const undescribed = undescribedPictures(form.content);
  const suggestion = errors['slug'] ? errors['suggestion'] : undefined;

  return (
    <div ref={root} className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] min-w-0 content-start gap-4">
        <Field label={postFields.title.label} error={errors['title']}>
          {(control) => (
            <input
              {...control}
              name="title"
              ref={wasNew ? autofocus : undefined}
              className="[font-family:var(--font-display)] text-lg"
              required
              autoComplete="off"
              value={form.title}
              onChange={(event) => edit({ title: event.target.value })}
            />
          )}
        </Field>
        <Field
          label={postFields.slug.label}
          error={errors['slug']}
          after={suggestion && <Button onClick={() => edit({ slug: suggestion })}>Use “{suggestion}”</Button>}
        >
          {(control) => (
            <div className="flex items-center gap-1.5">
              <span className="whitespace-nowrap text-ink-soft" aria-hidden="true">
                /blog/
              </span>
              <input
                {...control}
                name="slug"
                required
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={postFields.slug.max}
                value={form.slug}
                onChange={(event) => edit({ slug: event.target.value })}
                onBlur={() => edit({ slug: slugOf(form.slug) })}
              />
            </div>
          )}
        </Field>
        <div className="field">
          <span className="semibold">{postFields.content.label}</span>
          <RichTextEditor
            fallback={<span className="skeleton skeleton-editor" />}
            handle={editor}
            html={form.content}
            edition={writer.edition}
            label={postFields.content.label}
            invalid={Boolean(errors['content'])}
            onChange={(content) => edit({ content })}
            pick={pick}
            upload={upload}
            onPasteLoss={tellPasteLoss}
          />
          {errors['content'] && <p className="field-error">{errors['content']}</p>}
        </div>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] min-w-0 content-start gap-4 self-start xl:sticky xl:top-0 xl:ps-6 xl:[border-inline-start:3px_double_var(--color-rule)]">
        <Field label={postFields.status.label} hint={outcomeOf(form, Boolean(post?.publishedAt))}>
          {(control) => (
            <select {...control} name="status" value={status} onChange={(event) => choose(event.target.value)}>
              {Object.entries(postStatusNames).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {status === 'scheduled' && (
          <PublishAt
            moment={form.publishAt}
            error={errors['publishAt']}
            onChange={(moment) => {
              setScheduledEdition(writer.edition);
              edit({ publishAt: moment });
            }}
          />
        )}
        <ChangedDate writer={writer} />
        <Field label={postFields.excerpt.label} error={errors['excerpt']}>
          {(control) => (
            <textarea
              {...control}
              name="excerpt"
              rows={postFields.excerpt.rows}
              value={form.excerpt}
              onChange={(event) => edit({ excerpt: event.target.value })}
            />
          )}
        </Field>
        <FeaturedImage
          address={form.featuredImage}
          error={errors['featuredImage']}
          onChange={(featuredImage) => edit({ featuredImage })}
          pick={pick}
          upload={upload}
        />
        {undescribed > 0 && (
          <p className="flex gap-2 [&>svg]:mt-1">
            <Icon name="warning" />
            {undescribed === 1 ? 'A picture has no description.' : `${undescribed} pictures have no description.`}
          </p>
        )}
      </div>
    </div>
  );
}

function tellPasteLoss(pictures: number): void {
  showToast({
    title: pictures === 1 ? 'One picture was left out' : `${pictures} pictures were left out`,
    description:
      'Pictures from other programs and sites can’t be pasted. Save the pictures on your device, then upload them here.',
  });
}
