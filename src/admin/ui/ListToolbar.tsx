import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { numberText } from '../../domain/text.ts';
import { longestSearch } from '../../domain/paging.ts';
import type { ShownList } from '../lib/use-list.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

interface ListToolbarProps {
  list: ShownList;
  filters: ReactNode;
  tools: ReactNode;
}

/** The filters, the search, and the buttons of a list. */
export function ListToolbar({ list, filters, tools }: ListToolbarProps) {
  const { q, sort } = list.view;
  const newestFirst = sort === '-createdAt';
  return (
    <div className="list-toolbar">
      {filters}
      <SearchField
        label={`Search ${list.many}`}
        q={q}
        onSearch={(words) => list.filter({ q: words })}
        inputRef={list.searchField}
      />
      <div className="list-tools">
        {sort !== undefined && (
          <Button
            look="quiet"
            icon={newestFirst ? 'newest' : 'oldest'}
            title={
              newestFirst
                ? 'Sorted newest first. Click to show oldest first.'
                : 'Sorted oldest first. Click to show newest first.'
            }
            onClick={() => list.filter({ sort: newestFirst ? 'createdAt' : '-createdAt' })}
          >
            {newestFirst ? 'Newest first' : 'Oldest first'}
          </Button>
        )}
        <Button look="quiet" icon="again" title="Refresh" onClick={list.refresh} pending={list.refreshing}>
          Refresh
        </Button>
        {tools}
      </div>
    </div>
  );
}

/** The pause in typing after which the search starts, in milliseconds. */
const pauseMs = 250;

interface SearchFieldProps {
  /** The accessible name of the search field. */
  label: string;
  /** The current search text of the list. */
  q: string;
  onSearch: (q: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
}

/** A search field that starts the search after a pause in typing. */
function SearchField({ label, q, onSearch, inputRef }: SearchFieldProps) {
  const [text, setText] = useState(q);
  const [known, setKnown] = useState(q);
  // The browser's Back button or another control changed the search text.
  if (q !== known) {
    setKnown(q);
    if (q !== text.trim()) setText(q);
  }

  const search = useEffectEvent(onSearch);
  useEffect(() => {
    if (text.trim() === q) return undefined;
    const timer = setTimeout(() => search(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text, q]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') onSearch(text.trim());
    else if (event.key === 'Escape') {
      event.stopPropagation();
      if (text === '') inputRef.current?.blur();
      else {
        setText('');
        onSearch('');
      }
    }
  };

  return (
    <div className="search-field field" role="search">
      <Icon name="search" />
      <input
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder="Search"
        autoComplete="off"
        maxLength={longestSearch}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

interface Choice<T> {
  readonly value: T;
  readonly label: string;
  /** The number of rows; null reserves space while the number loads. */
  readonly count?: number | null | undefined;
}

interface SegmentsProps<T> {
  label: string;
  choices: readonly Choice<T>[];
  chosen: T;
  onChoose: (value: T) => void;
}

/** A group of buttons, of which one is selected. */
export function Segments<T extends string>({ label, choices, chosen, onChoose }: SegmentsProps<T>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map(({ value, label: words, count }) => (
        <button
          key={value}
          type="button"
          className="button button-secondary segment"
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
        >
          {words}
          {count !== undefined && <span className="segment-count">{count !== null && numberText(count)}</span>}
        </button>
      ))}
    </div>
  );
}
