import { type SubmissionFolder, folderOf } from '../../domain/submission.ts';
import { useList } from '../lib/use-list.ts';
import { EmptyList, ListContent } from '../ui/ListContent.tsx';
import { ListShortcuts } from '../ui/ListShortcuts.tsx';
import { ListTableSkeleton } from '../ui/ListTable.tsx';
import { ListToolbar } from '../ui/ListToolbar.tsx';
import { Pager } from '../ui/Pager.tsx';
import { Segments } from '../ui/Segments.tsx';
import type { Shortcut } from '../ui/ShortcutSheet.tsx';
import { CsvButton } from './CsvButton.tsx';
import { LeavingNote } from './LeavingNote.tsx';
import { NoSubmissions } from './NoSubmissions.tsx';
import { SubmissionPane } from './SubmissionPane.tsx';
import { SubmissionTable, columnsOf } from './SubmissionTable.tsx';
import { type KindName, kinds } from './kinds.ts';
import { inbox, inboxUrl } from './list.ts';
import type { Move } from './queries.ts';
import { replyAddress } from './reply.ts';
import { useMoveWithToast } from './use-move-with-toast.ts';

const lists = (Object.keys(kinds) as KindName[]).map((value) => ({ value, label: kinds[value].title }));

const statuses: readonly { value: SubmissionFolder; label: string }[] = [
  { value: 'inbox', label: 'Inbox' },
  { value: 'handled', label: 'Handled' },
  { value: 'quarantine', label: 'Quarantine' },
];

const searched = { inbox: 'the inbox', handled: 'Handled', quarantine: 'quarantine' } as const;

const shortcutsFor = (one: string): readonly Shortcut[] => [
  { keys: ['↓', 'j'], does: `Next ${one}` },
  { keys: ['↑', 'k'], does: `Previous ${one}` },
  { keys: ['Enter'], does: `Open the ${one}` },
  { keys: ['e'], does: 'Mark as handled, or reopen' },
  { keys: ['r'], does: 'Reply by email' },
  { keys: ['Esc'], does: 'Close the panel' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'Show keyboard shortcuts' },
];

/**
 * Contact Submissions: the list of inquiries or of applications, and the open submission
 * (docs/product.md#contact-submissions).
 */
export default function Inbox() {
  const list = useList(inbox, { panel: true });
  const { view, rows, counts, navigation } = list;
  const move = useMoveWithToast();

  const closePane = () => {
    inboxUrl.close();
    navigation.focusActive();
  };
  const { one, many } = kinds[view.list];
  const chosen = () => rows.find((row) => row.id === view.open) ?? rows[navigation.index];
  const moveSubmission = (wanted: Move) => {
    move.mutate(wanted);
    // After a submission leaves the inbox, the next one opens. A submission that returns to the inbox stays open,
    // because the admin will probably reply now.
    if (wanted.to !== 'inbox' && view.open) {
      if (navigation.index + 1 < rows.length) navigation.step(1);
      else closePane();
    }
  };

  const keys = {
    r: () => {
      const submission = chosen();
      if (submission) window.location.assign(replyAddress(submission));
    },
    e: () => {
      const submission = chosen();
      const folder = submission && folderOf(submission);
      if (!folder || folder === 'quarantine') return;
      moveSubmission({ submission, to: folder === 'inbox' ? 'handled' : 'inbox' });
    },
    Escape: () => (view.open ? closePane() : false),
  };

  return (
    <div className="list-screen" data-split={view.open !== undefined || undefined}>
      <div className="list-main">
        <ListToolbar list={list} searchLabel={`Search ${many}`} tools={<CsvButton view={view} />} shortcuts>
          <Segments
            label="Submission type"
            choices={lists}
            chosen={view.list}
            onChoose={(kind) => inboxUrl.filter({ list: kind, status: 'inbox', q: '' })}
          />
          <Segments
            label="Status"
            choices={statuses.map((status) => ({ ...status, count: counts?.[status.value] }))}
            chosen={view.status}
            onChoose={(status) => inboxUrl.filter({ status })}
          />
        </ListToolbar>
        <div className="list-rows">
          <ListContent
            list={list}
            skeleton={
              <ListTableSkeleton
                look="inquiry-table"
                columns={columnsOf(view.list)}
                sort={view.sort}
                what={`the ${many}`}
              />
            }
            empty={
              <EmptyList
                list={list}
                moved={`The ${many} on this page were moved.`}
                searched={`We looked in ${searched[view.status]} for ${many} with every word of your search in the name, email address, reference or message.`}
              >
                <NoSubmissions list={view.list} status={view.status} />
              </EmptyList>
            }
          >
            <SubmissionTable list={list} kind={view.list} onOpen={list.openRow} />
          </ListContent>
        </div>
        <LeavingNote count={counts?.leaving ?? 0} />
        <Pager list={list} />
      </div>
      {view.open && (
        <SubmissionPane
          key={view.list}
          list={view.list}
          id={view.open}
          onClose={closePane}
          onPrevious={navigation.canStep(-1) ? () => navigation.step(-1) : undefined}
          onNext={navigation.canStep(1) ? () => navigation.step(1) : undefined}
          onMove={moveSubmission}
          movingId={move.isPending ? move.variables.submission.id : undefined}
        />
      )}
      <ListShortcuts list={list} keys={keys} shortcuts={shortcutsFor(one)} />
    </div>
  );
}
