import { numberText } from '../../domain/text.ts';
import { useFirstPage } from '../lib/list.ts';
import { mediaList } from '../media/list.ts';
import { countOfAll, postList } from '../posts/list/list.ts';
import { kinds } from '../submissions/kinds.ts';

/** The numbers next to the dashboard's heading (docs/product.md#admin-area). */
export function CountCards() {
  const submissions = useFirstPage(kinds.inquiries.list);
  const posts = useFirstPage(postList);
  const files = useFirstPage(mediaList);
  const inquiries = submissions.data?.counts;
  const counts = posts.data?.counts;
  return (
    <Cards
      counts={{
        'Contact Submissions': inquiries ? inquiries.inbox + inquiries.handled : submissions.error,
        'Blog Posts': counts ? countOfAll(counts) : posts.error,
        'Media Files': files.data?.total ?? files.error,
        'Published Posts': counts ? counts.published : posts.error,
      }}
    />
  );
}

/** The cards while the session is checked. */
export function CountCardsSkeleton() {
  return (
    <Cards counts={{ 'Contact Submissions': null, 'Blog Posts': null, 'Media Files': null, 'Published Posts': null }} />
  );
}

/** @param props.counts null while a count loads, or the error if loading failed. */
function Cards({ counts }: { counts: Readonly<Record<string, number | Error | null>> }) {
  return (
    <dl className="count-cards">
      {Object.entries(counts).map(([label, count]) => (
        <div key={label} className="count-card">
          <dt>{label}</dt>
          <dd>
            {count === null ? (
              <span className="skeleton skeleton-figure" aria-hidden="true" />
            ) : count instanceof Error ? (
              '–'
            ) : (
              numberText(count)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
