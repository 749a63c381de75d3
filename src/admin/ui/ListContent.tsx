import type { ReactNode } from 'react';
import type { ShownList } from '../lib/use-list.ts';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';
import { FailureNotice } from './FailureNotice.tsx';

interface ListContentProps {
  list: ShownList;
  /** Shown while the first page loads. */
  skeleton: ReactNode;
  /** Shown if the page has no rows. */
  empty: ReactNode;
  children: ReactNode;
}

/** The rows of a list, or an error, a skeleton or the empty state. */
export function ListContent({ list: { page, rows, many }, skeleton, empty, children }: ListContentProps) {
  return (
    <>
      {page.isError && (
        <FailureNotice
          title={`Couldn’t load the ${many}`}
          error={page.error}
          {...(page.data !== undefined && { kept: 'This list may be out of date.' })}
          onRetry={() => void page.refetch()}
          pending={page.isFetching}
        />
      )}
      {page.isPending && skeleton}
      {page.data !== undefined && (rows.length > 0 ? children : empty)}
    </>
  );
}

interface EmptyListProps {
  list: ShownList;
  /** Explains why a later page can be empty. */
  moved: string;
  /** Says which fields the search covers. */
  searched: string;
  /** Shown if the list has no rows even without a search. */
  children: ReactNode;
}

/** Explains why a list has no rows and what to do next. */
export function EmptyList({ list: { view, many, filter, searchField }, moved, searched, children }: EmptyListProps) {
  if (view.page > 1) {
    return (
      <EmptyState title="This page is empty">
        <p>{moved}</p>
        <Button onClick={() => filter({})}>Go to first page</Button>
      </EmptyState>
    );
  }
  if (view.q === '') return children;
  return (
    <EmptyState title={`No ${many} match “${view.q}”.`}>
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
