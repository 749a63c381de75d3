import { useRef, useState } from 'react';
import { type MediaRecord, isPicture } from '../../domain/media.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Pager } from '../ui/Pager.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Segments } from '../ui/Segments.tsx';
import { rangeText } from '../ui/paging.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { MediaDrop } from './MediaDrop.tsx';
import { GridSkeleton, MediaGrid } from './MediaGrid.tsx';
import { MediaPane } from './MediaPane.tsx';
import { ReplaceDialog } from './ReplaceDialog.tsx';
import { closeFile, filterMedia, newerFiles, olderFiles, openFile, useMediaView } from './media-place.ts';
import { useMediaPage, useMediaRefresh } from './queries.ts';
import { useUploads } from './use-uploads.ts';
import { type MediaView, listQueryOf } from './view.ts';

const kinds = [
  { value: 'all', label: 'All files' },
  { value: 'pictures', label: 'Pictures' },
] as const;

/** Media Library: files on their way in, the grid of those that are there, and the open one (spec §2). */
export default function MediaScreen() {
  const view = useMediaView();
  const list = useMediaPage(listQueryOf(view));
  const refresh = useMediaRefresh();
  const uploads = useUploads((file, alone) => {
    // A picture wants its description while the admin still has it in mind; several at once would jump about.
    if (isPicture(file) && alone) openFile(file.id);
  });
  const [deleting, setDeleting] = useState<MediaRecord>();
  const [replacing, setReplacing] = useState<MediaRecord>();
  const search = useRef<HTMLInputElement>(null);

  const files = list.data?.data ?? [];
  const nextCursor = list.data?.nextCursor ?? null;
  const total = view.q === '' && view.kind === 'all' ? list.data?.total : undefined;
  return (
    <div className="list-screen media" data-split={view.file !== undefined || undefined}>
      <div className="list-main">
        <div className="list-rows">
          <MediaDrop uploads={uploads} />
          <div className="list-toolbar">
            <Segments label="Kind" choices={kinds} chosen={view.kind} onChoose={(kind) => filterMedia({ kind })} />
            <SearchField
              label="Search files"
              q={view.q}
              onSearch={(q) => filterMedia({ q })}
              onDown={() => document.querySelector<HTMLElement>('.media-open')?.focus()}
              inputRef={search}
            />
            <div className="list-tools">
              <Button
                look="quiet"
                icon="again"
                title="Refresh"
                onClick={() => void refresh()}
                pending={list.isFetching && !list.isPending && !list.isPlaceholderData}
              >
                Refresh
              </Button>
            </div>
          </div>
          {list.isError && (
            <FailureNotice
              title="Could not load the files"
              error={list.error}
              {...(list.data && { kept: 'What you see is what was there before.' })}
              onRetry={() => void list.refetch()}
              pending={list.isFetching}
            />
          )}
          {list.isPending && <GridSkeleton />}
          {list.data &&
            (files.length > 0 ? (
              <MediaGrid view={view} files={files} outdated={list.isPlaceholderData} onDelete={setDeleting} />
            ) : (
              <NoFiles
                view={view}
                onClear={() => {
                  filterMedia({ q: '', kind: 'all' });
                  search.current?.focus();
                }}
              />
            ))}
        </div>
        {list.data && (
          <Pager
            range={
              list.isPlaceholderData
                ? ''
                : rangeText({
                    page: view.page,
                    rows: files.length,
                    total,
                    hasMore: nextCursor !== null,
                    none: 'No files',
                  })
            }
            readAt={list.dataUpdatedAt}
            onPrevious={view.page > 1 ? newerFiles : undefined}
            onNext={nextCursor === null ? undefined : () => olderFiles(nextCursor)}
            onNear={() => undefined}
          />
        )}
      </div>
      {view.file && <MediaPane id={view.file} onClose={closeFile} onReplace={setReplacing} onDelete={setDeleting} />}
      {replacing && (
        <ReplaceDialog
          file={replacing}
          onClose={() => setReplacing(undefined)}
          onReplace={(chosen) => {
            setReplacing(undefined);
            uploads.replace(replacing, chosen);
          }}
        />
      )}
      {deleting && (
        <DeleteDialog
          file={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined);
            if (view.file === deleting.id) closeFile();
          }}
        />
      )}
    </div>
  );
}

function NoFiles({ view, onClear }: { view: MediaView; onClear: () => void }) {
  if (view.q !== '' || view.kind !== 'all' || view.page > 1) {
    return (
      <EmptyState title={view.q === '' ? 'No pictures here' : `No files match “${view.q}”.`}>
        <p>Names and descriptions were searched for every word.</p>
        <Button icon="cross" onClick={onClear}>
          Show all files
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No files yet">
      <p>What you upload stands here, with an address for posts, mails and other sites.</p>
    </EmptyState>
  );
}
