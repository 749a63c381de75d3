import { useLayoutEffect } from 'react';
import { leavingDays } from '../../domain/submissions/application.ts';
import { type Field, shortLabel } from '../../domain/field.ts';
import { type SubmissionFolder, folderOf } from '../../domain/submissions/submission.ts';
import { type Submission, isApplication } from '../../domain/submissions/submission-kinds.ts';
import { listSearch } from '../lists/list.ts';
import { useLocationSearch } from '../lib/location.ts';
import { focusedRow, useList, useShortcuts } from '../lists/use-list.ts';
import { useSession } from '../session/queries.ts';
import { DownloadButton } from '../ui/DownloadButton.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ListScreen } from '../lists/ListScreen.tsx';
import { type Column, ListTable } from '../lists/ListTable.tsx';
import { Segments } from '../lists/ListToolbar.tsx';
import { SubmissionPane } from './pane/SubmissionPane.tsx';
import { DeliveryMark } from './pane/Delivery.tsx';
import { folders } from './folders.ts';
import { type KindName, kindIn, kinds, shownOf } from './kinds.ts';
import { isNew, rememberOpened } from './opened.ts';
import { type Move, useMove } from './queries.ts';
import { replyAddress } from './pane/reply.ts';

/** Contact Submissions: the inquiries or the applications (docs/product.md#contact-submissions). */
export default function Inbox() {
  const kind = kindIn(useLocationSearch());
  return <Submissions key={kind} kind={kind} />;
}

/** A list of submissions, and the open submission. */
function Submissions({ kind }: { kind: KindName }) {
  const { list: of, paths } = kinds[kind];
  const list = useList(of);
  const { view, rows, page } = list;
  const { status, q, sort } = view;
  const counts = page.data?.counts;
  const leaving = counts?.leaving ?? 0;
  const move = useMove();
  const by = useSession().data?.user.email ?? '';
  // Before the panel is visible, because another tab may show the list next.
  useLayoutEffect(() => rememberOpened(by, view.open), [by, view.open]);

  const moveSubmission = (wanted: Move) => {
    // After a submission leaves the inbox, the next one opens. A submission that returns to the inbox stays open,
    // because the admin will probably reply now.
    if (wanted.to !== 'inbox' && !list.step(1)) list.close();
    move.mutate(wanted);
  };
  useShortcuts({
    e: () => {
      const submission = rows.find(({ id }) => id === (view.open ?? focusedRow()));
      const folder = submission && folderOf(submission);
      if (folder && folder !== 'quarantine') moveSubmission({ submission, to: folders[folder].moves[0].to });
    },
  });

  return (
    <ListScreen
      list={list}
      searched={`The site searched all fields and references of the ${list.many} in “${folders[status].label}.”`}
      filters={
        <>
          <Segments
            label="Submission type"
            choices={Object.entries(kinds).map(([value, { title }]) => ({ value: value as KindName, label: title }))}
            chosen={kind}
            onChoose={(other) => kinds[other].list.filter({ status: 'inbox', q: '' })}
          />
          <Segments
            label="Status"
            choices={(Object.keys(folders) as SubmissionFolder[]).map((value) => ({
              value,
              label: folders[value].label,
              count: counts?.[value] ?? null,
            }))}
            chosen={status}
            onChoose={(folder) => of.filter({ status: folder })}
          />
        </>
      }
      tools={
        <DownloadButton
          look="quiet"
          title="Export CSV"
          href={paths.csv + listSearch({ status, q, sort })}
          failure="Couldn’t export"
        >
          Export CSV
        </DownloadButton>
      }
      empty={
        <EmptyState title={`No ${list.many} in “${folders[status].label}”`}>
          <p>{folders[status].empty}</p>
        </EmptyState>
      }
      // While an admin can still prevent the deletion.
      below={
        leaving > 0 && (
          <p className="flex gap-2 py-2.5 text-xs rule-t-rule [&>svg]:mt-0.5">
            <Icon name="clock" />
            <span>
              {leaving === 1 ? '1 application' : `${leaving} applications`} will be deleted within {leavingDays} days,
              as the privacy policy promises. To keep an application, open it and select “Keep after deletion date.”
            </span>
          </p>
        )
      }
      pane={
        view.open !== undefined && (
          <SubmissionPane
            list={list}
            kind={kind}
            id={view.open}
            onMove={moveSubmission}
            movingId={move.isPending ? move.variables.submission.id : undefined}
          />
        )
      }
    >
      <ListTable
        list={list}
        columns={columns[kind]}
        label={kinds[kind].title}
        onOpen={of.open}
        isNew={(row) => status === 'inbox' && row.id !== view.open && isNew(by, row)}
      />
    </ListScreen>
  );
}

/**
 * Returns the columns of a field of the form. list-table.css has two columns for single-line fields and one for long text.
 */
const columnOf = (field: Field, index: number): Column<Submission> => ({
  name: field.kind === 'lines' ? 'message' : `field-${index + 1}`,
  label: shortLabel(field),
  cell: (submission) => {
    const text = shownOf(submission).find((one) => one.field === field)?.text;
    return field.kind === 'lines' ? (
      <span className="@max-[44rem]/list:line-clamp-2 @max-[44rem]/list:wrap-anywhere @max-[44rem]/list:whitespace-normal">
        {text}
      </span>
    ) : (
      text || '–'
    );
  },
});

const columnsOf = (kind: KindName): readonly Column<Submission>[] => [
  { name: 'received', label: 'Received', ordered: true, cell: ({ createdAt }) => <DateTime exact iso={createdAt} /> },
  {
    name: 'name',
    label: 'Name',
    heading: true,
    cell: (submission, link) => (
      <>
        {link(submission.fullName)}
        {isApplication(submission) && submission.kept && (
          <span
            className="ms-2 px-1.5 text-xs regular text-ink-soft rule-rule-strong forced-colors:[[data-open]_&]:[color:inherit]"
            title="Kept after deletion date"
          >
            Kept
          </span>
        )}
      </>
    ),
  },
  ...Object.values(kinds[kind].fields)
    .filter(({ inList }) => inList)
    .map(columnOf),
  { name: 'mail', label: 'Delivery', cell: ({ delivery }) => <DeliveryMark delivery={delivery} /> },
  { name: 'reference', label: 'Reference', cell: ({ reference }) => <span className="figures">{reference}</span> },
  {
    name: 'tools',
    label: <span className="sr-only">Reply</span>,
    cell: (submission) => (
      <a
        className="icon-button"
        href={replyAddress(submission)}
        aria-label={`Reply to ${submission.fullName} by email`}
        title="Reply by email"
      >
        <Icon name="reply" />
      </a>
    ),
  },
];

const columns = { inquiries: columnsOf('inquiries'), applications: columnsOf('applications') };
