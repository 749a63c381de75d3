import { type RefObject, useEffect, useRef, useState } from 'react';
import { postFields, slugOf } from '../../../domain/post-input.ts';
import { fetched } from '../../lib/fetched.tsx';
import { Button } from '../../ui/Button.tsx';
import { autofocus } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { FeaturedImage } from './FeaturedImage.tsx';
import { PostTime } from './PostTime.tsx';
import type { EditorHandle } from '../editor/RichTextEditor.tsx';
import { undescribedPictures } from './post-form.ts';
import type { Writer } from './use-writing.ts';

const RichTextEditor = fetched(() => import('../editor/RichTextEditor.tsx'));

interface PostFieldsProps {
  ref: RefObject<HTMLDivElement | null>;
  writer: Writer;
}

/** The fields of a post. */
export function PostFields({ ref: root, writer }: PostFieldsProps) {
  const editor = useRef<EditorHandle>(null);
  const { text: form, errors, wrong, edit, post } = writer;
  const [wasNew] = useState(post === null);

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
          />
          {errors['content'] && <p className="field-error">{errors['content']}</p>}
        </div>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] min-w-0 content-start gap-4 self-start xl:sticky xl:top-0 xl:ps-6 xl:[border-inline-start:3px_double_var(--color-rule)]">
        <PostTime writer={writer} />
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
