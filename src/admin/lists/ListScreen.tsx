import { type ReactNode, useEffect, useRef } from 'react';
import type { ShownList } from './use-list.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { EmptyState, Loaded } from '../ui/Notice.tsx';
import { ListToolbar } from './ListToolbar.tsx';

interface ListScreenProps {
  list: ShownList;
  /** Additional class names of the area with the rows. */
  look?: string;
  /** Says which fields the search covers. */
  searched: string;
  /** The filters, at the start of the toolbar. */
  filters: ReactNode;
  /** Buttons for the whole list, at the end of the toolbar. */
  tools?: ReactNode;
  /** Shown above and below the rows. */
  above?: ReactNode;
  below?: ReactNode;
  /** Shown if the list has no rows even without a search. */
  empty: ReactNode;
  /** The panel with the open row, and dialogs. */
  pane?: ReactNode;
  /** The rows. */
  children: ReactNode;
}

/** A list: the toolbar, the rows or the reason why there are none, the pages, and the open row. */
export function ListScreen(props: ListScreenProps) {
  const { list, look = '', searched, filters, tools, above, below, empty, pane, children } = props;
  const { page, rows, many, outdated, view } = list;
  const area = useRef<HTMLDivElement>(null);
  const shown = useRef(view.after);
  useEffect(() => {
    if (outdated || shown.current === view.after) return;
    shown.current = view.after;
    area.current?.scrollTo({ top: 0 });
    area.current?.scrollIntoView();
  }, [outdated, view.after]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] xl:has-[>.side-panel]:-me-(--gutter) xl:has-[>.side-panel]:grid-cols-[minmax(0,1fr)_clamp(26rem,34vw,36rem)] xl:has-[>.side-panel]:gap-x-(--gutter) large:min-h-0 large:flex-1 large:grid-rows-[minmax(0,1fr)]">
      {/* A size container, because an open panel narrows the list without changing the width of the screen. */}
      <div className="@container/list large:flex large:min-h-0 large:flex-col">
        <ListToolbar list={list} filters={filters} tools={tools} />
        <div
          ref={area}
          className={`list-rows large:min-h-0 large:flex-1 large:overflow-auto large:[scroll-padding-block:2.5rem_0.5rem] [&>.notice]:mb-3 ${look}`}
        >
          {above}
          <Loaded what={`the ${many}`} query={page} skeleton={<RowsSkeleton />}>
            {() =>
              rows.length > 0 ? (
                children
              ) : (
                <NoRows list={list} searched={searched}>
                  {empty}
                </NoRows>
              )
            }
          </Loaded>
          {page.isLoadingError && view.after !== '' && <FirstPage list={list} />}
        </div>
        {below}
        <Pager list={list} />
      </div>
      {pane}
    </div>
  );
}

/** Lines in the place of rows, shown while a list loads. */
export function RowsSkeleton() {
  return Array.from({ length: 8 }, (_, index) => (
    <span key={index} className="skeleton mt-11 h-px" aria-hidden="true" />
  ));
}

/** Explains why a page has no rows and what to do next. */
function NoRows({ list, searched, children }: Pick<ListScreenProps, 'list' | 'look' | 'searched' | 'children'>) {
  const { view, many, filter, searchField } = list;
  if (view.after !== '') {
    return (
      <EmptyState title="This page is empty">
        <p>The {many} on this page were moved or deleted.</p>
        <FirstPage list={list} />
      </EmptyState>
    );
  }
  if (view.q === '') return children;
  return (
    <EmptyState title={`No ${many} match “${view.q}”`}>
      <p>{searched}</p>
      <Button
        icon="cross"
        onClick={() => {
          filter({ q: '' });
          searchField.current?.focus();
        }}
      >
        Clear search
      </Button>
    </EmptyState>
  );
}

const FirstPage = ({ list: { filter } }: Pick<ListScreenProps, 'list'>) => (
  <Button onClick={() => filter({})}>Go to first page</Button>
);

/** Shows which rows are visible, when they were fetched, and buttons for other pages. */
function Pager({ list: { page, range, older, newer } }: Pick<ListScreenProps, 'list'>) {
  if (page.data === undefined) return null;
  return (
    <nav
      // Stays visible at the bottom of the screen while the page scrolls, but does not cover the text of an empty list.
      className="sticky bottom-0 z-1 flex min-h-[calc(var(--control)+1rem)] items-center gap-2 bg-paper pb-[env(safe-area-inset-bottom,0px)] rule-t-rule-strong [.list-rows:has(.empty-state)~&]:static @max-[44rem]/list:[&_.button]:p-0 @max-[44rem]/list:[&_.button>span]:sr-only"
      aria-label="Pages"
      data-keep-clear=""
    >
      <div className="flex flex-1 flex-wrap items-baseline gap-x-6">
        <p role="status" className="figures">
          {range}
        </p>
        {page.dataUpdatedAt > 0 && (
          <p className="text-xs text-ink-soft">
            Updated <DateTime iso={new Date(page.dataUpdatedAt).toISOString()} />
          </p>
        )}
      </div>
      {(newer ?? older) && (
        <>
          <Button icon="left" onClick={newer} unavailable={!newer}>
            Previous
          </Button>
          <Button icon="right" onClick={older} unavailable={!older}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
