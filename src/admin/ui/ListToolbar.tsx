import { type ReactNode, startTransition } from 'react';
import type { ShownList } from '../lib/use-list.ts';
import { Button, IconButton } from './Button.tsx';
import { OrderButton } from './OrderButton.tsx';
import { SearchField } from './SearchField.tsx';

interface ListToolbarProps {
  list: ShownList;
  /** The accessible name of the search field. */
  searchLabel: string;
  /** An additional class name. */
  look?: string;
  /** Whether to show the button for keyboard shortcuts. */
  shortcuts?: boolean;
  /** Called for the down arrow in the search field. Defaults to focusing the active row. */
  onDown?: () => void;
  /** Buttons between Refresh and Keyboard shortcuts. */
  tools?: ReactNode;
  /** The filters. */
  children: ReactNode;
}

/** The toolbar of a list: filters, search, sort order, and the buttons that apply to the whole list. */
export function ListToolbar({
  list,
  searchLabel,
  look = '',
  shortcuts = false,
  onDown = list.navigation.focusActive,
  tools,
  children,
}: ListToolbarProps) {
  const { q, sort } = list.view;
  return (
    <div className={`list-toolbar ${look}`}>
      {children}
      <SearchField
        label={searchLabel}
        q={q}
        onSearch={(words) => list.filter({ q: words })}
        onDown={onDown}
        inputRef={list.searchField}
      />
      {sort !== undefined && <OrderButton sort={sort} onSort={(order) => list.filter({ sort: order })} />}
      <div className="list-tools">
        <Button look="quiet" icon="again" title="Refresh" onClick={list.refresh} pending={list.refreshing}>
          Refresh
        </Button>
        {tools}
        {shortcuts && (
          <IconButton
            icon="keyboard"
            label="Keyboard shortcuts"
            onClick={() => startTransition(() => list.showShortcuts(true))}
          />
        )}
      </div>
    </div>
  );
}
