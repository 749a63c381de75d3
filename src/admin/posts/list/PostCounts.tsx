import { useCounts } from '../../lib/paged-list.ts';
import { CountCard } from '../../ui/CountCard.tsx';
import { countOfAll, postPages } from './list.ts';

/** The dashboard's card with the number of posts outside the trash. */
export function PostsCount() {
  const { data, isError } = useCounts(postPages);
  return <CountCard label="Blog Posts" count={data && countOfAll(data)} failed={isError} />;
}

/** The dashboard's card with the number of published posts. */
export function PublishedCount() {
  const { data, isError } = useCounts(postPages);
  return <CountCard label="Published Posts" count={data?.published} failed={isError} />;
}
