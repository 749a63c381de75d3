import { useCounts } from '../ui/paged-list.ts';
import { postList } from './queries.ts';
import { countOfAll } from './view.ts';

const number = new Intl.NumberFormat('en-US');

/** The dashboard's count card for all posts that are in use. */
export function PostsCount() {
  const { data: counts, isError } = useCounts(postList);
  return <Card label="Blog Posts" count={counts && countOfAll(counts)} failed={isError} />;
}

/** The dashboard's count card for what the public can read. */
export function PublishedCount() {
  const { data: counts, isError } = useCounts(postList);
  return <Card label="Published Posts" count={counts?.published} failed={isError} />;
}

function Card({ label, count, failed }: { label: string; count: number | undefined; failed: boolean }) {
  return (
    <div className="count-card">
      <dt>{label}</dt>
      <dd>
        {count !== undefined && number.format(count)}
        {count === undefined && (failed ? '–' : <span className="skeleton skeleton-figure" aria-hidden="true" />)}
      </dd>
    </div>
  );
}
