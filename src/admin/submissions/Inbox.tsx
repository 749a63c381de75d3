import { type SubmissionFolder, folderOf } from '../../domain/submission.ts';
import { useLocationSearch } from '../lib/location.ts';
import { focusedRow, useList } from '../lib/use-list.ts';
import { useShortcuts } from '../lib/use-shortcuts.ts';
import { ListScreen } from '../ui/ListScreen.tsx';
import { ListTableSkeleton } from '../ui/ListTable.tsx';
import { Segments } from '../ui/Segments.tsx';
import { CsvButton } from './CsvButton.tsx';
import { LeavingNote } from './LeavingNote.tsx';
import { NoSubmissions } from './NoSubmissions.tsx';
import { SubmissionPane } from './SubmissionPane.tsx';
import { SubmissionTable, columnsOf } from './SubmissionTable.tsx';
import { type KindName, kinds } from './kinds.ts';
import { kindIn, submissionLists } from './list.ts';
import type { Move } from './queries.ts';
import { useMoveWithToast } from './use-move-with-toast.ts';

const lists = (Object.keys(kinds) as KindName[]).map((value) => ({ value, label: kinds[value].title }));

const statuses: readonly { value: SubmissionFolder; label: string }[] = [
  { value: 'inbox', label: 'Inbox' },
  { value: 'handled', label: 'Handled' },
  { value: 'quarantine', label: 'Quarantine' },
];

const searched = { inbox: 'the inbox', handled: 'Handled', quarantine: 'quarantine' } as const;

/** Contact Submissions: the inquiries or the applications (docs/product.md#contact-submissions). */
export default function Inbox() {
  const kind = kindIn(useLocationSearch());
  return <Submissions key={kind} kind={kind} />;
}

/** A list of submissions, and the open submission. */
function Submissions({ kind }: { kind: KindName }) {
  const of = submissionLists[kind];
  const list = useList(of);
  const { view, rows, page, neighbor } = list;
  const counts = page.data?.counts;
  const move = useMoveWithToast();

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
      if (!folder || folder === 'quarantine') return;
      moveSubmission({ submission, to: folder === 'inbox' ? 'handled' : 'inbox' });
    },
  });
  const opens = (id: string | undefined) => (id === undefined ? undefined : () => of.open(id));

  return (
    <ListScreen
      list={list}
      searched={`We looked in ${searched[view.status]} for ${list.many} with every word of your search in the name, email address, reference or message.`}
      filters={
        <>
          <Segments
            label="Submission type"
            choices={lists}
            chosen={kind}
            onChoose={(other) => submissionLists[other].filter({ status: 'inbox', q: '' })}
          />
          <Segments
            label="Status"
            choices={statuses.map((status) => ({ ...status, count: counts?.[status.value] ?? null }))}
            chosen={view.status}
            onChoose={(status) => of.filter({ status })}
          />
        </>
      }
      tools={<CsvButton kind={kind} view={view} />}
      skeleton={<ListTableSkeleton columns={columnsOf(kind)} sort={view.sort} many={list.many} />}
      empty={<NoSubmissions list={kind} status={view.status} />}
      below={<LeavingNote count={counts?.leaving ?? 0} />}
      pane={
        view.open !== undefined && (
          <SubmissionPane
            list={kind}
            id={view.open}
            onClose={list.close}
            onPrevious={opens(neighbor(-1))}
            onNext={opens(neighbor(1))}
            onMove={moveSubmission}
            movingId={move.isPending ? move.variables.submission.id : undefined}
          />
        )
      }
    >
      <SubmissionTable list={list} kind={kind} onOpen={of.open} />
    </ListScreen>
  );
}
