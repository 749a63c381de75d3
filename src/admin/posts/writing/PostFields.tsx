import { type RefObject, useEffect, useState } from 'react';
import { postFields, slugOf } from '../../../domain/post-input.ts';
import { isPictureAddress } from '../../../domain/web-address.ts';
import { fetched } from '../../lib/fetched.tsx';
import { usePickMedia } from '../../lib/pick-media.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field, TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PostTime } from './PostTime.tsx';
import { undescribedPictures } from './post-form.ts';
import type { Writer } from './use-writing.ts';

const RichTextEditor = fetched(() => import('../editor/RichTextEditor.tsx'));

interface PostFieldsProps {
  ref: RefObject<HTMLDivElement | null>;
  writer: Writer;
}

/** The fields of a post. */
export function PostFields({ ref: root, writer }: PostFieldsProps) {
  const { text: form, errors, wrong, edit, post } = writer;
  const [wasNew] = useState(post === null);

  useEffect(() => {
    if (wrong)
      root.current?.querySelector<HTMLElement>(`[name="${wrong.field}"], #${wrong.field} [role=textbox]`)?.focus();
  }, [wrong, root]);
  const pick = usePickMedia();
  const choosePicture = async () => {
    const picked = await pick?.();
    if (picked) edit({ featuredImage: picked.url });
  };
  const field = (name: 'title' | 'excerpt' | 'featuredImage') => ({
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
          focused={wasNew}
          className="[font-family:var(--font-display)] text-lg"
          required
          autoComplete="off"
        />
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
        <div id="content" className="field">
          <span className="semibold">{postFields.content.label}</span>
          <RichTextEditor
            fallback={<span className="skeleton h-[max(21rem,100dvh-25rem)]" />}
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
        <TextField {...field('excerpt')} rows={postFields.excerpt.rows} />
        <TextField
          {...field('featuredImage')}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="Web address, or path on this site"
          after={
            <>
              {isPictureAddress(form.featuredImage) && (
                <img className="block h-auto max-h-40 max-w-full rule-rule" src={form.featuredImage} alt="" />
              )}
              <Button icon="picture" onClick={() => void choosePicture()}>
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
    </div>
  );
}
