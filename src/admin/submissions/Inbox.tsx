import { useRef, useState } from 'react';
import { Pager } from '../ui/Pager.tsx';
import { usePage, usePagePrefetch } from '../ui/paged-list.ts';
import { rangeText } from '../ui/paging.ts';
import { type Shortcut, ShortcutSheet } from '../ui/ShortcutSheet.tsx';
import { useRowWalk } from '../ui/use-row-walk.ts';
import { useShortcuts, useSingleKeys } from '../ui/use-shortcuts.ts';
import { InboxToolbar } from './InboxToolbar.tsx';
import { LeavingNote } from './LeavingNote.tsx';
import { SubmissionList } from './SubmissionList.tsx';
import { SubmissionPane } from './SubmissionPane.tsx';
import { closeSubmission, filterInbox, followSubmission, newerPage, olderPage, useInboxView } from './inbox-place.ts';
import { kinds } from './kinds.ts';
import { type Move, submissionList, useRefresh } from './queries.ts';
import { placeOf } from '../../domain/submission.ts';
import { replyAddress } from './reply.ts';
import { useMoveWithNotice } from './use-move-with-notice.ts';
import { listQueryOf } from './view.ts';

const shortcutsFor = (one: string): readonly Shortcut[] => [
  { keys: ['↓', 'j'], does: `Next ${one}` },
  { keys: ['↑', 'k'], does: `Previous ${one}` },
  { keys: ['Enter'], does: `Open the ${one}` },
  { keys: ['e'], does: 'Mark as handled, or open it again' },
  { keys: ['r'], does: 'Reply by email' },
  { keys: ['Esc'], does: 'Close what is open' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'This list' },
];

/** Contact Submissions: the list of inquiries or of applications, and the open one (spec §2; decisions, 'Admin'). */
export default function Inbox() {
  const view = useInboxView();
  const list = usePage(submissionList(view.list), listQueryOf(view));
  const prefetch = usePagePrefetch(submissionList(view.list));
  const refresh = useRefresh();
  const move = useMoveWithNotice();
  const search = useRef<HTMLInputElement>(null);
  const [sheetOpen, setSheetOpen] = useState(false);
  const [singleKeys, setSingleKeys] = useSingleKeys();

  const rows = list.data?.data ?? [];
  const nextCursor = list.data?.nextCursor ?? null;
  const walk = useRowWalk({
    rows,
    outdated: list.isPlaceholderData,
    openId: view.submission,
    onFollow: followSubmission,
    onOlder: nextCursor === null ? undefined : () => olderPage(nextCursor),
    onNewer: view.page > 1 ? newerPage : undefined,
  });

  const closePane = () => {
    closeSubmission();
    walk.focusActive();
  };
  const { one, many } = kinds[view.list];
  const chosen = () => rows.find((row) => row.id === view.submission) ?? rows[walk.index];
  const moveSubmission = (wanted: Move) => {
    move.mutate(wanted);
    // What is put away makes room; what is released is likely to be answered now.
    if (wanted.to !== 'inbox' && view.submission) {
      if (walk.index + 1 < rows.length) walk.step(1);
      else closePane();
    }
  };

  useShortcuts(
    {
      ...walk.keys,
      r: () => {
        const submission = chosen();
        if (submission) window.location.assign(replyAddress(submission));
      },
      e: () => {
        const submission = chosen();
        const place = submission && placeOf(submission);
        if (!place || place === 'quarantine') return;
        moveSubmission({ submission, to: place === 'inbox' ? 'handled' : 'inbox' });
      },
      Escape: () => (view.submission ? closePane() : false),
      '/': () => search.current?.focus(),
      '?': () => setSheetOpen(true),
    },
    singleKeys,
  );

  const range = rangeText({
    page: view.page,
    rows: rows.length,
    total: view.q === '' ? list.data?.counts[view.status] : undefined,
    hasMore: nextCursor !== null,
    none: `No ${many}`,
  });
  return (
    <div className="list-screen" data-split={view.submission !== undefined || undefined}>
      <div className="list-main">
        <InboxToolbar
          view={view}
          counts={list.data?.counts}
          refreshing={list.isFetching && !list.isPending && !list.isPlaceholderData}
          onRefresh={() => void refresh()}
          onDown={walk.focusActive}
          onShortcuts={() => setSheetOpen(true)}
          searchRef={search}
        />
        <SubmissionList
          view={view}
          list={list}
          activeId={walk.activeId}
          onActivate={walk.activate}
          onClearSearch={() => {
            filterInbox({ q: '' });
            search.current?.focus();
          }}
          bodyRef={walk.body}
        />
        <LeavingNote count={list.data?.counts.leaving ?? 0} />
        {list.data && (
          <Pager
            range={list.isPlaceholderData ? '' : range}
            readAt={list.dataUpdatedAt}
            onPrevious={walk.newer}
            onNext={walk.older}
            onNear={() => nextCursor && prefetch({ ...listQueryOf(view), cursor: nextCursor })}
          />
        )}
      </div>
      {view.submission && (
        <SubmissionPane
          key={view.list}
          list={view.list}
          id={view.submission}
          onClose={closePane}
          onPrevious={walk.canStep(-1) ? () => walk.step(-1) : undefined}
          onNext={walk.canStep(1) ? () => walk.step(1) : undefined}
          onMove={moveSubmission}
          movingId={move.isPending ? move.variables.submission.id : undefined}
        />
      )}
      {sheetOpen && (
        <ShortcutSheet
          shortcuts={shortcutsFor(one)}
          singleKeys={singleKeys}
          onSingleKeys={setSingleKeys}
          onClose={() => setSheetOpen(false)}
        />
      )}
    </div>
  );
}
