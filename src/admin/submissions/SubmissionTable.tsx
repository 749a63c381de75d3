import { type CSSProperties, type MouseEvent, type RefObject, memo } from 'react';
import { defaultPageSize } from '../../domain/paging.ts';
import { DateTime } from '../ui/DateTime.tsx';
import type { RowPlace } from '../ui/use-row-walk.ts';
import { DeliverySummary } from './DeliveryStatus.tsx';
import { openSubmission } from './inbox-place.ts';
import { type Submission, cellsOf, kinds } from './kinds.ts';
import { type InboxView, searchOf } from './view.ts';

interface SubmissionTableProps {
  view: InboxView;
  rows: readonly Submission[];
  /** The rows are those of the page before, or of the search before. */
  outdated: boolean;
  /** The row in the tab order. */
  activeId: string | undefined;
  /** Always the same function: a row that did not change is not rendered again when another one takes the focus. */
  onActivate: (place: RowPlace) => void;
  bodyRef: RefObject<HTMLTableSectionElement | null>;
}

/**
 * The list as a table; where it is narrow the style sheet sets the same cells as a list. One row is in the tab order, and
 * arrow keys move it.
 */
export function SubmissionTable({ view, rows, outdated, activeId, onActivate, bodyRef }: SubmissionTableProps) {
  const rowsBefore = { '--rows-before': (view.page - 1) * defaultPageSize } as CSSProperties;
  return (
    <table className="inquiry-table" aria-label={kinds[view.list].title} aria-busy={outdated} style={rowsBefore}>
      <SubmissionTableHead view={view} />
      <tbody ref={bodyRef}>
        {rows.map((submission, index) => (
          <SubmissionRow
            key={submission.id}
            submission={submission}
            index={index}
            href={searchOf({ ...view, submission: submission.id })}
            open={view.submission === submission.id}
            active={activeId === submission.id}
            onActivate={onActivate}
          />
        ))}
      </tbody>
    </table>
  );
}

export function SubmissionTableHead({ view: { sort, list } }: { view: InboxView }) {
  const { company, service, message } = kinds[list].columns;
  return (
    <thead>
      <tr>
        <th scope="col" className="cell-date" aria-sort={sort === 'createdAt' ? 'ascending' : 'descending'}>
          Received
        </th>
        <th scope="col" className="cell-name">
          Name
        </th>
        <th scope="col" className="cell-company">
          {company}
        </th>
        <th scope="col" className="cell-service">
          {service}
        </th>
        <th scope="col" className="cell-message">
          {message}
        </th>
        <th scope="col" className="cell-mail">
          Mail
        </th>
        <th scope="col" className="cell-reference">
          Reference
        </th>
      </tr>
    </thead>
  );
}

interface SubmissionRowProps extends Pick<SubmissionTableProps, 'onActivate'> {
  submission: Submission;
  index: number;
  href: string;
  open: boolean;
  active: boolean;
}

const SubmissionRow = memo(function SubmissionRow({
  submission,
  index,
  href,
  open,
  active,
  onActivate,
}: SubmissionRowProps) {
  const { id } = submission;
  const { company, service, message } = cellsOf(submission);

  /** A plain press opens here; with a key held, or a text being marked, the browser does what it always does. */
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const marking = window.getSelection()?.type === 'Range';
    if (marking) return;
    onActivate({ id, index });
    openSubmission(id);
  };

  return (
    <tr className="inquiry-row" data-open={open || undefined} onClick={onClick}>
      <td className="cell-date">
        <DateTime iso={submission.createdAt} />
      </td>
      <th scope="row" className="cell-name">
        <a
          href={href}
          aria-current={open || undefined}
          tabIndex={active ? 0 : -1}
          onFocus={() => onActivate({ id, index })}
        >
          {submission.fullName}
        </a>
      </th>
      <td className="cell-company">{company}</td>
      <td className="cell-service">{service}</td>
      <td className="cell-message">
        <span>{message}</span>
      </td>
      <td className="cell-mail">
        <DeliverySummary delivery={submission.delivery} />
      </td>
      <td className="cell-reference figures">{submission.reference}</td>
    </tr>
  );
});
