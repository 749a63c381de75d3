import { postDescription } from '../../../domain/post-text.ts';
import type { PostForm } from '../post-form.ts';

/** The number of characters after which search engines cut a title, approximately. */
const shownTitle = 60;

/** Shows the post as a search result. */
export function SearchPreview({ form }: { form: PostForm }) {
  const title = form.title.trim();
  return (
    <section aria-labelledby="search-preview-title">
      <h3 id="search-preview-title">Search result preview</h3>
      <div className="grid gap-0.5 bg-raised p-3 rule-rule wrap-anywhere">
        <p className="text-xs text-ink-soft">/blog/{form.slug}</p>
        <p className="semibold text-accent">
          {title.length > shownTitle ? `${title.slice(0, shownTitle).trimEnd()}…` : title || 'The title'}
        </p>
        <p>{postDescription(form) || 'The excerpt, or the beginning of the content'}</p>
      </div>
    </section>
  );
}
