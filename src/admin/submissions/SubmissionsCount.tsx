import { useInquiryCounts } from './queries.ts';

const number = new Intl.NumberFormat('en-US');

/** The dashboard's count card for this part: how many inquiries are in the inbox. */
export function SubmissionsCount() {
  const { data: counts, isError } = useInquiryCounts();
  return (
    <div className="count-card">
      <dt>Contact Submissions</dt>
      <dd>
        {counts && number.format(counts.inbox)}
        {!counts && (isError ? '–' : <span className="skeleton skeleton-figure" aria-hidden="true" />)}
      </dd>
    </div>
  );
}
