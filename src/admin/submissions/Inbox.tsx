import { useRef, useState } from 'react';
import { Pager } from '../ui/Pager.tsx';
import { rangeText } from '../ui/paging.ts';
import { type Shortcut, ShortcutSheet } from '../ui/ShortcutSheet.tsx';
import { useRowWalk } from '../ui/use-row-walk.ts';
import { useShortcuts, useSingleKeys } from '../ui/use-shortcuts.ts';
import { InboxToolbar } from './InboxToolbar.tsx';
import { InquiryList } from './InquiryList.tsx';
import { InquiryPane } from './InquiryPane.tsx';
import { closeInquiry, filterInbox, followInquiry, newerPage, olderPage, useInboxView } from './inbox-place.ts';
import { type Move, useInquiryPage, usePagePrefetch, useRefresh } from './queries.ts';
import { replyAddress } from './reply.ts';
import { useMoveWithNotice } from './use-move-with-notice.ts';
import { listQueryOf } from './view.ts';

const shortcuts: readonly Shortcut[] = [
  { keys: ['↓', 'j'], does: 'Next inquiry' },
  { keys: ['↑', 'k'], does: 'Previous inquiry' },
  { keys: ['Enter'], does: 'Open the inquiry' },
  { keys: ['r'], does: 'Reply by email' },
  { keys: ['Esc'], does: 'Close what is open' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'This list' },
];

/** Contact Submissions: the list of inquiries and the open one (spec §2). */
export default function Inbox() {
  const view = useInboxView();
  const list = useInquiryPage(listQueryOf(view));
  const prefetch = usePagePrefetch();
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
    onFollow: followInquiry,
    onOlder: nextCursor === null ? undefined : () => olderPage(nextCursor),
    onNewer: view.page > 1 ? newerPage : undefined,
  });

  const closePane = () => {
    closeInquiry();
    walk.focusActive();
  };
  const moveInquiry = (wanted: Move) => {
    move.mutate(wanted);
    // What is put away makes room; what is released is likely to be answered now.
    if (wanted.to === 'quarantine') {
      if (walk.index + 1 < rows.length) walk.step(1);
      else closePane();
    }
  };

  const arrow = (by: 1 | -1) => (event: KeyboardEvent, target: Element) => {
    if (!walk.body.current?.contains(target)) return false;
    walk.step(by, event);
    return true;
  };
  useShortcuts(
    {
      j: (event) => walk.step(1, event),
      k: (event) => walk.step(-1, event),
      ArrowDown: arrow(1),
      ArrowUp: arrow(-1),
      r: () => {
        const inquiry = rows.find((row) => row.id === view.submission) ?? rows[walk.index];
        if (inquiry) window.location.assign(replyAddress(inquiry));
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
    none: 'No inquiries',
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
        <InquiryList
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
        <InquiryPane
          id={view.submission}
          onClose={closePane}
          onPrevious={walk.canStep(-1) ? () => walk.step(-1) : undefined}
          onNext={walk.canStep(1) ? () => walk.step(1) : undefined}
          onMove={moveInquiry}
          movingId={move.isPending ? move.variables.inquiry.id : undefined}
        />
      )}
      {sheetOpen && (
        <ShortcutSheet
          shortcuts={shortcuts}
          singleKeys={singleKeys}
          onSingleKeys={setSingleKeys}
          onClose={() => setSheetOpen(false)}
        />
      )}
    </div>
  );
}
