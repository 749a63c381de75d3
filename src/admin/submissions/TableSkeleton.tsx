import { SubmissionTableHead } from './SubmissionTable.tsx';
import { kinds } from './kinds.ts';
import type { InboxView } from './view.ts';

const columns = ['date', 'name', 'company', 'service', 'message', 'mail', 'reference'];

/** The list while it is on its way, in the sizes that it will have. */
export function TableSkeleton({ view }: { view: InboxView }) {
  return (
    <>
      <p className="unseen" role="status">
        Loading the {kinds[view.list].many}…
      </p>
      <table className="inquiry-table" aria-hidden="true">
        <SubmissionTableHead view={view} />
        <tbody>
          {Array.from({ length: 12 }, (_, row) => (
            <tr key={row} className="inquiry-row">
              {columns.map((column) => (
                <td key={column} className={`cell-${column}`}>
                  <span className="skeleton skeleton-text" />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
