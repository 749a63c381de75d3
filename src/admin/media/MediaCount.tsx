import { useMediaCount } from './queries.ts';

const number = new Intl.NumberFormat('en-US');

/** The dashboard's count card for this part. */
export function MediaCount() {
  const { data: total, isError } = useMediaCount();
  return (
    <div className="count-card">
      <dt>Media Files</dt>
      <dd>
        {total !== undefined && number.format(total)}
        {total === undefined && (isError ? '–' : <span className="skeleton skeleton-figure" aria-hidden="true" />)}
      </dd>
    </div>
  );
}
