import { numberText } from '../../domain/text.ts';
import { useFirstPage } from '../lib/list.ts';
import { mediaList } from '../media/list.ts';
import { countOfAll, postList } from '../posts/list.ts';
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
    <dl className="flex flex-wrap gap-x-6 gap-y-3 max-md:grid max-md:flex-[1_0_100%] max-md:grid-cols-[repeat(auto-fit,minmax(max(8rem,40%),1fr))] max-md:gap-x-4 max-md:gap-y-2">
      {Object.entries(counts).map(([label, count]) => (
        <div
          key={label}
          className="flex min-w-48 items-center justify-between gap-6 py-1 rule-t-rule-strong double-b-rule-strong max-md:min-w-0 max-md:gap-2"
        >
          {/* A single line in every font, so the layout does not shift when the web font loads. */}
          <dt className="text-ink-soft max-md:truncate max-md:text-xs">{label}</dt>
          <dd className="figures min-w-6 text-end text-lg/[1.75rem] semibold">
            {count === null ? (
              <span className="skeleton h-7 w-6" aria-hidden="true" />
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
