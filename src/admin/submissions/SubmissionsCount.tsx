import { useCounts } from '../ui/paged-list.ts';
import { submissionList } from './queries.ts';

const number = new Intl.NumberFormat('en-US');

/** The dashboard's count card for this part: how many inquiries there are, those in quarantine apart. */
export function SubmissionsCount() {
  const { data: counts, isError } = useCounts(submissionList('inquiries'));
  return (
    <div className="count-card">
      <dt>Contact Submissions</dt>
      <dd>
        {counts && number.format(counts.inbox + counts.handled)}
        {!counts && (isError ? '–' : <span className="skeleton skeleton-figure" aria-hidden="true" />)}
      </dd>
    </div>
  );
}
