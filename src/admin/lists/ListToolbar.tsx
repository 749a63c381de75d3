import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { numberText } from '../../domain/text/text.ts';
import { longestSearch } from '../../domain/text/paging.ts';
import type { ShownList } from './use-list.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';

interface ListToolbarProps {
  list: ShownList;
  filters: ReactNode;
  tools: ReactNode;
}

/** The filters, the search, and the buttons of a list. */
export function ListToolbar({ list, filters, tools }: ListToolbarProps) {
  const { sort } = list.view;
  const newestFirst = sort === '-createdAt';
  const reverse = newestFirst ? 'Show oldest first' : 'Show newest first';
  return (
    <div // In narrow lists, buttons hide their labels, which stay available to assistive technology and as tooltips.
      className="flex flex-wrap items-center gap-2 py-2 max-md:gap-1 max-md:py-1 @max-[62rem]/list:[&_.button-quiet]:p-0 @max-[62rem]/list:[&_.button-quiet>span]:sr-only"
    >
      {filters}
      {/* If the row is full, the search and the buttons wrap together. */}
      <div className="flex flex-[1_1_19rem] items-center gap-x-1">
        <SearchField list={list} inputRef={list.searchField} />
        {sort !== undefined && (
          <Button
            look="quiet"
            icon={newestFirst ? 'oldest' : 'newest'}
            title={reverse}
            onClick={() => list.filter({ sort: newestFirst ? 'createdAt' : '-createdAt' })}
          >
            {reverse}
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

/** A search field that starts the search after a pause in typing. */
function SearchField({ list, inputRef }: { list: ShownList; inputRef: ShownList['searchField'] }) {
  const { filter } = list;
  const { q } = list.view;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = (text: string, afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (text.trim() !== q) filter({ q: text.trim() });
    }, afterMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const field = inputRef.current;
    if (!field || field.value.trim() === q) return;
    // The browser's Back button or another control changed the search text.
    clearTimeout(timer.current);
    field.value = q;
  }, [q, inputRef]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget;
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') search(field.value, 0);
    else if (event.key === 'Escape') {
      event.stopPropagation();
      if (field.value === '') field.blur();
      field.value = '';
      search('', 0);
    }
  };
  return (
    <div className="field relative me-auto flex-[1_1_5rem] max-w-96 @max-[44rem]/list:max-w-none" role="search">
      <span className="pointer-events-none absolute start-2.5 top-[calc(50%-0.5rem)] flex text-ink-soft">
        <Icon name="search" />
      </span>
      <input
        ref={inputRef}
        type="search"
        className="min-h-(--control) ps-8 @max-[24rem]/list:pe-0.5"
        aria-label={`Search ${list.many}`}
        placeholder="Search"
        autoComplete="off"
        maxLength={longestSearch}
        defaultValue={q}
        onChange={(event) => search(event.target.value, pauseMs)}
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
    // When the group wraps, each button has all four borders, which overlap the borders of its neighbors.
    <div className="flex flex-wrap pe-px pb-px @max-[44rem]/list:flex-[1_1_100%]" role="group" aria-label={label}>
      {choices.map(({ value, label: words, count }) => (
        <button
          key={value}
          type="button"
          className="button button-secondary chosen -me-px -mb-px rounded-none @max-[44rem]/list:min-w-(--control) @max-[44rem]/list:flex-[1_0_auto] @max-[44rem]/list:flex-col @max-[44rem]/list:gap-0 @max-[44rem]/list:px-1 @max-[44rem]/list:text-xs/[1.25]"
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
        >
          {words}
          {count !== undefined && (
            <span className="figures min-w-[2ch] regular @max-[44rem]/list:min-h-[1lh]">
              {count !== null && numberText(count)}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
