import type { RefObject } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { ListTableSkeleton } from '../ui/ListTable.tsx';
import type { RowPlace } from '../ui/use-row-walk.ts';
import { SubmissionTable, columnsOf } from './SubmissionTable.tsx';
import { type SubmissionPage, kinds } from './kinds.ts';
import { NoSubmissions } from './NoSubmissions.tsx';
import type { InboxView } from './view.ts';

interface SubmissionListProps {
  view: InboxView;
  list: UseQueryResult<SubmissionPage>;
  activeId: string | undefined;
  onActivate: (place: RowPlace) => void;
  onClearSearch: () => void;
  bodyRef: RefObject<HTMLTableSectionElement | null>;
}

/** The rows, or what stands in their place: loading, nothing there, nothing found, not reached. */
export function SubmissionList({ list, view, onClearSearch, ...table }: SubmissionListProps) {
  return (
    <div className="list-rows">
      {list.isError && (
        <FailureNotice
          title={`Could not load the ${kinds[view.list].many}`}
          error={list.error}
          kept={list.data && 'What you see is what was there before.'}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      )}
      {list.isPending && (
        <ListTableSkeleton
          look="inquiry-table"
          columns={columnsOf(view.list)}
          sort={view.sort}
          what={`the ${kinds[view.list].many}`}
        />
      )}
      {list.data &&
        (list.data.data.length > 0 ? (
          <SubmissionTable {...table} view={view} rows={list.data.data} outdated={list.isPlaceholderData} />
        ) : (
          <NoSubmissions view={view} onClear={onClearSearch} />
        ))}
    </div>
  );
}
