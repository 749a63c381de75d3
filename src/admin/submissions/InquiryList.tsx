import type { RefObject } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { InquiryPage } from '../../domain/inquiry.ts';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import type { RowPlace } from '../ui/use-row-walk.ts';
import { InquiryTable } from './InquiryTable.tsx';
import { NoInquiries } from './NoInquiries.tsx';
import { TableSkeleton } from './TableSkeleton.tsx';
import type { InboxView } from './view.ts';

interface InquiryListProps {
  view: InboxView;
  list: UseQueryResult<InquiryPage>;
  activeId: string | undefined;
  onActivate: (place: RowPlace) => void;
  onClearSearch: () => void;
  bodyRef: RefObject<HTMLTableSectionElement | null>;
}

/** The rows, or what stands in their place: loading, nothing there, nothing found, not reached. */
export function InquiryList({ list, view, onClearSearch, ...table }: InquiryListProps) {
  return (
    <div className="list-rows">
      {list.isError && (
        <FailureNotice
          title="Could not load the inquiries"
          error={list.error}
          kept={list.data && 'What you see is what was there before.'}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      )}
      {list.isPending && <TableSkeleton sort={view.sort} />}
      {list.data &&
        (list.data.data.length > 0 ? (
          <InquiryTable {...table} view={view} rows={list.data.data} outdated={list.isPlaceholderData} />
        ) : (
          <NoInquiries view={view} onClear={onClearSearch} />
        ))}
    </div>
  );
}
