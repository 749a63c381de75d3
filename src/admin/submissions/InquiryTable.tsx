import { type CSSProperties, type MouseEvent, type RefObject, memo } from 'react';
import { type InquiryRecord, serviceInterestLabel } from '../../domain/inquiry.ts';
import { defaultPageSize } from '../../domain/paging.ts';
import { DateTime } from '../ui/DateTime.tsx';
import type { RowPlace } from '../ui/use-row-walk.ts';
import { DeliverySummary } from './DeliveryStatus.tsx';
import { openInquiry } from './inbox-place.ts';
import { type InboxView, searchOf } from './view.ts';

interface InquiryTableProps {
  view: InboxView;
  rows: readonly InquiryRecord[];
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
export function InquiryTable({ view, rows, outdated, activeId, onActivate, bodyRef }: InquiryTableProps) {
  const rowsBefore = { '--rows-before': (view.page - 1) * defaultPageSize } as CSSProperties;
  return (
    <table className="inquiry-table" aria-label="Inquiries" aria-busy={outdated} style={rowsBefore}>
      <InquiryTableHead sort={view.sort} />
      <tbody ref={bodyRef}>
        {rows.map((inquiry, index) => (
          <InquiryRow
            key={inquiry.id}
            inquiry={inquiry}
            index={index}
            href={searchOf({ ...view, submission: inquiry.id })}
            open={view.submission === inquiry.id}
            active={activeId === inquiry.id}
            onActivate={onActivate}
          />
        ))}
      </tbody>
    </table>
  );
}

export function InquiryTableHead({ sort }: { sort: InboxView['sort'] }) {
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
          Company
        </th>
        <th scope="col" className="cell-service">
          Service
        </th>
        <th scope="col" className="cell-message">
          Message
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

interface InquiryRowProps extends Pick<InquiryTableProps, 'onActivate'> {
  inquiry: InquiryRecord;
  index: number;
  href: string;
  open: boolean;
  active: boolean;
}

const InquiryRow = memo(function InquiryRow({ inquiry, index, href, open, active, onActivate }: InquiryRowProps) {
  const { id } = inquiry;

  /** A plain press opens here; with a key held, or a text being marked, the browser does what it always does. */
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const marking = window.getSelection()?.type === 'Range';
    if (marking) return;
    onActivate({ id, index });
    openInquiry(id);
  };

  return (
    <tr className="inquiry-row" data-open={open || undefined} onClick={onClick}>
      <td className="cell-date">
        <DateTime iso={inquiry.createdAt} />
      </td>
      <th scope="row" className="cell-name">
        <a
          href={href}
          aria-current={open || undefined}
          tabIndex={active ? 0 : -1}
          onFocus={() => onActivate({ id, index })}
        >
          {inquiry.fullName}
        </a>
      </th>
      <td className="cell-company">{inquiry.company}</td>
      <td className="cell-service">{serviceInterestLabel(inquiry.serviceInterest)}</td>
      <td className="cell-message">
        <span>{inquiry.message}</span>
      </td>
      <td className="cell-mail">
        <DeliverySummary delivery={inquiry.delivery} />
      </td>
      <td className="cell-reference figures">{inquiry.reference}</td>
    </tr>
  );
});
