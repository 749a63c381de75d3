import { useCounts } from '../lib/paged-list.ts';
import { CountCard } from '../ui/CountCard.tsx';
import { mediaPages } from './list.ts';

/** The dashboard's card with the number of files. */
export function MediaCount() {
  const { data, isError } = useCounts(mediaPages);
  return <CountCard label="Media Files" count={data} failed={isError} />;
}
