import type { RefObject } from 'react';
import type { SubmissionCounts, SubmissionPlace } from '../../domain/submission.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { CsvButton } from './CsvButton.tsx';
import { filterInbox } from './inbox-place.ts';
import { type KindName, kinds } from './kinds.ts';
import type { InboxView } from './view.ts';

const places: readonly { readonly status: SubmissionPlace; readonly label: string }[] = [
  { status: 'inbox', label: 'Inbox' },
  { status: 'handled', label: 'Handled' },
  { status: 'quarantine', label: 'Quarantine' },
];

const number = new Intl.NumberFormat('en-US');

interface InboxToolbarProps {
  view: InboxView;
  counts: SubmissionCounts | undefined;
  refreshing: boolean;
  onRefresh: () => void;
  onDown: () => void;
  onShortcuts: () => void;
  searchRef: RefObject<HTMLInputElement | null>;
}

/** Which submissions are shown, and what can be done with all of them. */
export function InboxToolbar(props: InboxToolbarProps) {
  const { view, counts, refreshing } = props;
  const newestFirst = view.sort === '-createdAt';
  return (
    <div className="list-toolbar">
      <div className="segments" role="group" aria-label="What to show">
        {(Object.keys(kinds) as KindName[]).map((list) => (
          <button
            key={list}
            type="button"
            className="segment"
            aria-pressed={view.list === list}
            onClick={() => filterInbox({ list, status: 'inbox', q: '' })}
          >
            {kinds[list].title}
          </button>
        ))}
      </div>
      <div className="segments" role="group" aria-label="Place">
        {places.map(({ status, label }) => (
          <button
            key={status}
            type="button"
            className="segment"
            aria-pressed={view.status === status}
            onClick={() => filterInbox({ status })}
          >
            {label}
            {counts && <span className="segment-count">{number.format(counts[status])}</span>}
          </button>
        ))}
      </div>
      <SearchField
        label={`Search ${kinds[view.list].many}`}
        q={view.q}
        onSearch={(q) => filterInbox({ q })}
        onDown={props.onDown}
        inputRef={props.searchRef}
      />
      <Button
        look="quiet"
        icon={newestFirst ? 'newest' : 'oldest'}
        title={newestFirst ? 'Show the oldest first' : 'Show the newest first'}
        onClick={() => filterInbox({ sort: newestFirst ? 'createdAt' : '-createdAt' })}
      >
        {newestFirst ? 'Newest first' : 'Oldest first'}
      </Button>
      <div className="list-tools">
        <Button look="quiet" icon="again" title="Refresh" onClick={props.onRefresh} pending={refreshing}>
          Refresh
        </Button>
        <CsvButton view={view} />
        <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={props.onShortcuts} />
      </div>
    </div>
  );
}
