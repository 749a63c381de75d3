import { type MouseEvent, type RefObject, memo } from 'react';
import { DateTime } from '../ui/DateTime.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type Column, ListTable } from '../ui/ListTable.tsx';
import { opensRow } from '../ui/opens-row.ts';
import type { RowPlace } from '../ui/use-row-walk.ts';
import { DeliverySummary } from './DeliveryStatus.tsx';
import { openSubmission } from './inbox-place.ts';
import { type KindName, type Submission, cellsOf, isApplication, kinds } from './kinds.ts';
import { replyAddress } from './reply.ts';
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

export function columnsOf(list: KindName): readonly Column[] {
  const { company, service, message } = kinds[list].columns;
  return [
    { name: 'date', label: 'Received', ordered: true },
    { name: 'name', label: 'Name' },
    { name: 'company', label: company },
    { name: 'service', label: service },
    { name: 'message', label: message },
    { name: 'mail', label: 'Delivery' },
    { name: 'reference', label: 'Reference' },
    { name: 'tools', label: <span className="unseen">Reply</span> },
  ];
}

/** The submissions of one page. */
export function SubmissionTable({ view, rows, activeId, onActivate, ...table }: SubmissionTableProps) {
  return (
    <ListTable
      {...table}
      look="inquiry-table"
      columns={columnsOf(view.list)}
      sort={view.sort}
      label={kinds[view.list].title}
      page={view.page}
    >
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
    </ListTable>
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
  const tabIndex = active ? 0 : -1;
  const activate = () => onActivate({ id, index });

  const onClick = (event: MouseEvent) => {
    if (!opensRow(event)) return;
    activate();
    openSubmission(id);
  };

  return (
    <tr className="list-row" data-open={open || undefined} onClick={onClick}>
      <td className="cell-date">
        <DateTime iso={submission.createdAt} />
      </td>
      <th scope="row" className="cell-name">
        <a href={href} aria-current={open || undefined} tabIndex={tabIndex} onFocus={activate}>
          {submission.fullName}
        </a>
        {isApplication(submission) && submission.hold && <span className="hold-mark">Kept</span>}
      </th>
      <td className="cell-company">{company}</td>
      <td className="cell-service">{service}</td>
      <td className="cell-message">
        <span className="two-lines">{message}</span>
      </td>
      <td className="cell-mail">
        <DeliverySummary delivery={submission.delivery} />
      </td>
      <td className="cell-reference figures">{submission.reference}</td>
      <td className="cell-tools">
        {/* The message is quoted on the click: quoting a long message takes too long to do for each row. */}
        <a
          className="icon-button"
          href={`mailto:${encodeURIComponent(submission.email)}`}
          aria-label={`Reply to ${submission.fullName} by email`}
          title="Reply by email"
          tabIndex={tabIndex}
          onFocus={activate}
          onClick={(event) => (event.currentTarget.href = replyAddress(submission))}
        >
          <Icon name="reply" />
        </a>
      </td>
    </tr>
  );
});
