import type { RefObject } from 'react';
import type { SubmissionCounts, SubmissionPlace } from '../../domain/submission.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { OrderButton } from '../ui/OrderButton.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Segments } from '../ui/Segments.tsx';
import { CsvButton } from './CsvButton.tsx';
import { filterInbox } from './inbox-place.ts';
import { type KindName, kinds } from './kinds.ts';
import type { InboxView } from './view.ts';

const lists = (Object.keys(kinds) as KindName[]).map((value) => ({ value, label: kinds[value].title }));

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
  const places: { value: SubmissionPlace; label: string; count: number | undefined }[] = [
    { value: 'inbox', label: 'Inbox', count: counts?.inbox },
    { value: 'handled', label: 'Handled', count: counts?.handled },
    { value: 'quarantine', label: 'Quarantine', count: counts?.quarantine },
  ];
  return (
    <div className="list-toolbar">
      <Segments
        label="What to show"
        choices={lists}
        chosen={view.list}
        onChoose={(list) => filterInbox({ list, status: 'inbox', q: '' })}
      />
      <Segments label="Place" choices={places} chosen={view.status} onChoose={(status) => filterInbox({ status })} />
      <SearchField
        label={`Search ${kinds[view.list].many}`}
        q={view.q}
        onSearch={(q) => filterInbox({ q })}
        onDown={props.onDown}
        inputRef={props.searchRef}
      />
      <OrderButton sort={view.sort} onSort={(sort) => filterInbox({ sort })} />
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
