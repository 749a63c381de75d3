import { useCounts } from '../lib/paged-list.ts';
import { CountCard } from '../ui/CountCard.tsx';
import { submissionPages } from './list.ts';

/** The dashboard's card with the number of inquiries outside quarantine. */
export function SubmissionsCount() {
  const { data, isError } = useCounts(submissionPages('inquiries'));
  return <CountCard label="Contact Submissions" count={data && data.inbox + data.handled} failed={isError} />;
}
