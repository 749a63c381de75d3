import { memo } from 'react';
import { type Field, shortLabel } from '../../domain/field.ts';
import { DateTime } from '../ui/Fact.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type Column, ListTable, rowProps } from '../ui/ListTable.tsx';
import type { ShownList } from '../lib/use-list.ts';
import { DeliverySummary } from './Delivery.tsx';
import { type KindName, type Submission, isApplication, kinds, shownOf } from './kinds.ts';
import { replyAddress } from './reply.ts';

/** Returns the name of a field's column. list-table.css has two columns for single-line fields and one for long text. */
const cellOf = ({ kind }: Field, index: number) => (kind === 'lines' ? 'message' : `field-${index + 1}`);

export function columnsOf(kind: KindName): readonly Column[] {
  const fields = Object.values(kinds[kind].fields);
  return [
    { name: 'date', label: 'Received', ordered: true },
    { name: 'name', label: 'Name' },
    ...fields
      .filter(({ inList }) => inList)
      .map((field, index) => ({ name: cellOf(field, index), label: shortLabel(field) })),
    { name: 'mail', label: 'Delivery' },
    { name: 'reference', label: 'Reference' },
    { name: 'tools', label: <span className="sr-only">Reply</span> },
  ];
}

interface SubmissionTableProps {
  list: ShownList<Submission>;
  kind: KindName;
  onOpen: (id: string) => void;
}

/** The table with one page of submissions. */
export function SubmissionTable({ list, kind, onOpen }: SubmissionTableProps) {
  return (
    <ListTable list={list} columns={columnsOf(kind)} label={kinds[kind].title}>
      {(submission, row) => <SubmissionRow key={submission.id} submission={submission} {...row} onOpen={onOpen} />}
    </ListTable>
  );
}

interface SubmissionRowProps extends Pick<SubmissionTableProps, 'onOpen'> {
  submission: Submission;
  href: string;
  open: boolean;
}

const SubmissionRow = memo(function SubmissionRow({ submission, href, open, onOpen }: SubmissionRowProps) {
  const shown = shownOf(submission).filter(({ field }) => field.inList);
  return (
    <tr {...rowProps(submission.id, onOpen)} data-open={open || undefined}>
      <td className="cell-date">
        <DateTime iso={submission.createdAt} />
      </td>
      <th scope="row" className="cell-name">
        <a className="row-link" href={href} aria-current={open || undefined}>
          {submission.fullName}
        </a>
        {isApplication(submission) && submission.kept && (
          <span
            className="ms-2 px-1.5 text-xs [font-weight:400] text-ink-soft rule-rule-strong forced-colors:[[data-open]_&]:[color:inherit]"
            title="Kept after deletion date"
          >
            Kept
          </span>
        )}
      </th>
      {shown.map(({ name, field, text }, index) => (
        <td key={name} className={`cell-${cellOf(field, index)}`}>
          {field.kind === 'lines' ? <span className="two-lines">{text}</span> : text || '–'}
        </td>
      ))}
      <td className="cell-mail">
        <DeliverySummary delivery={submission.delivery} />
      </td>
      <td className="cell-reference figures">{submission.reference}</td>
      <td className="cell-tools">
        <a
          className="icon-button"
          href={replyAddress(submission)}
          aria-label={`Reply to ${submission.fullName} by email`}
          title="Reply by email"
        >
          <Icon name="reply" />
        </a>
      </td>
    </tr>
  );
});
