import { postDescription } from '../../domain/post-text.ts';
import type { PostForm } from './post-form.ts';

/** About where search engines cut a title. */
const shownTitle = 60;

/** The post as it stands in a search engine's results. */
export function SearchPreview({ form }: { form: PostForm }) {
  const title = form.title.trim();
  return (
    <section aria-labelledby="search-preview-title">
      <h3 id="search-preview-title">In search results</h3>
      <div className="search-preview">
        <p className="search-preview-address">/blog/{form.slug}</p>
        <p className="search-preview-title">
          {title.length > shownTitle ? `${title.slice(0, shownTitle).trimEnd()}…` : title || 'The title'}
        </p>
        <p>{postDescription(form) || 'The excerpt, or how the text begins.'}</p>
      </div>
    </section>
  );
}
