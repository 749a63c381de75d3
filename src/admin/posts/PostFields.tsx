import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { longestSlug, slugOf } from '../../domain/post-text.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { autofocus } from '../ui/Dialog.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { fetched } from '../ui/fetched.tsx';
import { usePickMedia } from '../ui/pick-media.ts';
import { Checklist } from './Checklist.tsx';
import { FeaturedImage } from './FeaturedImage.tsx';
import { PublishAt } from './PublishAt.tsx';
import { SearchPreview } from './SearchPreview.tsx';
import { type HintPlace, checklistOf } from './checklist.ts';
import type { OutlineItem } from './editor/outline.ts';
import type { EditorHandle } from './editor/RichTextEditor.tsx';
import { type PostForm, withTitle } from './post-form.ts';
import { useUploadPicture } from './upload-picture.ts';
import type { WritingState } from './use-writing.ts';

const RichTextEditor = fetched(() => import('./editor/RichTextEditor.tsx'));

/** What the dialog can ask of the fields. */
export interface PostFieldsHandle {
  focus(field: string): void;
  /** What is wrong in the fields and not in what they hold, keyed by their names. */
  problems(): Record<string, string>;
  /** Puts another text into the editor. */
  replace(html: string): void;
}

interface PostFieldsProps {
  handle: Ref<PostFieldsHandle>;
  writing: WritingState;
  errors: Readonly<Record<string, string>>;
  onEdit: (field: string) => void;
}

/** Everything that a post consists of. */
export function PostFields({ handle, writing, errors, onEdit }: PostFieldsProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorHandle>(null);
  const pick = usePickMedia();
  const upload = useUploadPicture();
  const publishAt = useRef<HTMLInputElement>(null);
  const [outline, setOutline] = useState<readonly OutlineItem[]>([]);
  const { form, slugFollows, change } = writing;
  const wasPublished = writing.base.publishedAt;
  const [wasNew] = useState(writing.base.id === null);

  const edit = (patch: Partial<PostForm>) => {
    change(patch);
    Object.keys(patch).forEach(onEdit);
  };
  const focus = (field: string) => {
    if (field === 'content') editor.current?.focus();
    else root.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  };
  const problems = (): Record<string, string> =>
    publishAt.current?.validity.badInput ? { publishAt: 'Please enter both the date and the time, or neither.' } : {};
  useImperativeHandle(handle, () => ({ focus, problems, replace: (html) => editor.current?.replace(html) }));
  const go = (at: HintPlace) => ('field' in at ? focus(at.field) : editor.current?.focus(at.place));

  const field = (name: keyof PostForm) => ({
    id: `${id}-${name}`,
    name,
    'aria-invalid': errors[name] ? true : undefined,
    'aria-describedby': errors[name] ? `${id}-${name}-error` : undefined,
  });
  const problem = (name: keyof PostForm) =>
    errors[name] && (
      <p className="field-error" id={`${id}-${name}-error`}>
        {errors[name]}
      </p>
    );
  const suggestion = errors['slug'] ? errors['suggestion'] : undefined;

  return (
    <div ref={root} className="post-form">
      <div className="post-main">
        <div className="field">
          <label htmlFor={`${id}-title`}>Title</label>
          <input
            {...field('title')}
            ref={wasNew ? autofocus : undefined}
            className="post-title"
            required
            autoComplete="off"
            value={form.title}
            onChange={(event) => edit(withTitle(form, event.target.value, slugFollows))}
          />
          {problem('title')}
        </div>
        <div className="field">
          <label htmlFor={`${id}-slug`}>Slug</label>
          <div className="slug-field">
            <span aria-hidden="true">/blog/</span>
            <input
              {...field('slug')}
              required
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={longestSlug}
              value={form.slug}
              onChange={(event) => {
                writing.editSlug();
                edit({ slug: event.target.value });
              }}
              onBlur={() => {
                if (slugOf(form.slug) !== form.slug) edit({ slug: slugOf(form.slug) });
              }}
            />
          </div>
          {problem('slug')}
          {suggestion && (
            <Button
              onClick={() => {
                writing.editSlug();
                edit({ slug: suggestion });
                onEdit('suggestion');
              }}
            >
              Use “{suggestion}”
            </Button>
          )}
        </div>
        <div className="field">
          <span className="field-name">Content</span>
          <RichTextEditor
            fallback={<span className="skeleton skeleton-editor" />}
            handle={editor}
            initial={form.content}
            label="Content"
            invalid={Boolean(errors['content'])}
            onChange={(text) => {
              setOutline(text.outline);
              if (text.html !== writing.now().form.content) edit({ content: text.html });
            }}
            pick={pick}
            upload={upload}
            onPasteLoss={tellPasteLoss}
          />
          {problem('content')}
        </div>
      </div>
      <div className="post-side">
        <div className="field">
          <label htmlFor={`${id}-status`}>Status</label>
          <select
            {...field('status')}
            value={form.status}
            onChange={(event) => edit({ status: event.target.value === 'published' ? 'published' : 'draft' })}
          >
            <option value="draft">Draft</option>
            <option value="published">Published</option>
          </select>
          <p className="field-hint">
            {form.status === 'published'
              ? 'Everybody can read it as soon as it is saved.'
              : wasPublished
                ? 'Saving takes it off the blog.'
                : 'Nobody but you and your colleagues can read it.'}
          </p>
        </div>
        {form.status === 'draft' && (
          <PublishAt
            field={field('publishAt')}
            inputRef={publishAt}
            moment={form.publishAt}
            problem={problem('publishAt')}
            onChange={(moment) => edit({ publishAt: moment })}
          />
        )}
        {wasPublished && form.status === 'published' && (
          <label className="check">
            <input
              type="checkbox"
              name="keepOriginalDate"
              checked={form.keepOriginalDate}
              onChange={(event) => edit({ keepOriginalDate: event.target.checked })}
            />
            <span>
              Keep original date
              <span className="field-hint">
                Published <DateTime iso={wasPublished} />; saving dates it anew otherwise.
              </span>
            </span>
          </label>
        )}
        <div className="field">
          <label htmlFor={`${id}-excerpt`}>Excerpt</label>
          <textarea
            {...field('excerpt')}
            rows={4}
            value={form.excerpt}
            onChange={(event) => edit({ excerpt: event.target.value })}
          />
          {problem('excerpt')}
        </div>
        <FeaturedImage
          field={field('featuredImage')}
          address={form.featuredImage}
          problem={problem('featuredImage')}
          onChange={(featuredImage) => edit({ featuredImage })}
          pick={pick}
          upload={upload}
        />
        <SearchPreview form={form} />
        <Checklist hints={checklistOf(form, outline)} onGo={go} />
      </div>
    </div>
  );
}

function tellPasteLoss(pictures: number): void {
  showToast({
    title: pictures === 1 ? 'One picture was left out' : `${pictures} pictures were left out`,
    description: 'Pictures of other sites are not shown here. Save them, and add them from your device.',
  });
}
