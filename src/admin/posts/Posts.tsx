import { useCallback, useRef, useState } from 'react';
import type { PostSummary } from '../../domain/post.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { ListTableSkeleton } from '../ui/ListTable.tsx';
import { Pager } from '../ui/Pager.tsx';
import { type Shortcut, ShortcutSheet } from '../ui/ShortcutSheet.tsx';
import { errorText } from '../ui/error-text.ts';
import { usePage, usePagePrefetch } from '../ui/paged-list.ts';
import { rangeText } from '../ui/paging.ts';
import { useRowWalk } from '../ui/use-row-walk.ts';
import { useShortcuts, useSingleKeys } from '../ui/use-shortcuts.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { NoPosts } from './NoPosts.tsx';
import { PostDialog } from './PostDialog.tsx';
import { PostTable, postColumns } from './PostTable.tsx';
import { PostsToolbar } from './PostsToolbar.tsx';
import { filterPosts, nextPage, openPost, previousPage, usePostsView } from './posts-place.ts';
import { postList, useRefresh, useTrash } from './queries.ts';
import { countOfAll, listQueryOf, newPost } from './view.ts';

const shortcuts: readonly Shortcut[] = [
  { keys: ['↓', 'j'], does: 'Next post' },
  { keys: ['↑', 'k'], does: 'Previous post' },
  { keys: ['Enter'], does: 'Edit the post' },
  { keys: ['n'], does: 'New post' },
  { keys: ['Del'], does: 'Delete the post' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'This list' },
  { keys: ['Ctrl+S'], does: 'Save the open post and go on writing' },
  { keys: ['Ctrl+K'], does: 'Link in the text' },
  { keys: ['Esc'], does: 'From the text to its buttons' },
];

/** Blog Posts: the list of posts, and the one that is written (spec §2). */
export default function Posts() {
  const view = usePostsView();
  const list = usePage(postList, listQueryOf(view));
  const prefetch = usePagePrefetch(postList);
  const refresh = useRefresh();
  const search = useRef<HTMLInputElement>(null);
  const [sheetOpen, setSheetOpen] = useState(false);
  const [deleting, setDeleting] = useState<PostSummary | null>(null);
  const [singleKeys, setSingleKeys] = useSingleKeys();
  const trash = useTrashWithNotice();

  const rows = list.data?.data ?? [];
  const nextCursor = list.data?.nextCursor ?? null;
  const walk = useRowWalk({
    rows,
    outdated: list.isPlaceholderData,
    onOlder: nextCursor === null ? undefined : () => nextPage(nextCursor),
    onNewer: view.page > 1 ? previousPage : undefined,
  });

  useShortcuts(
    {
      ...walk.keys,
      n: () => openPost(newPost),
      Delete: (_event, target) => {
        const row = rows[walk.index];
        if (!row || row.deletedAt !== null || !walk.body.current?.contains(target)) return false;
        setDeleting(row);
        return true;
      },
      '/': () => search.current?.focus(),
      '?': () => setSheetOpen(true),
    },
    singleKeys,
  );

  const counts = list.data?.counts;
  const total = counts && { ...counts, all: countOfAll(counts) };
  const range = rangeText({
    page: view.page,
    rows: rows.length,
    total: view.q === '' ? total?.[view.status] : undefined,
    hasMore: nextCursor !== null,
    none: 'No posts',
  });
  return (
    <div className="list-screen">
      <div className="list-main">
        <PostsToolbar
          view={view}
          counts={counts}
          refreshing={list.isFetching && !list.isPending && !list.isPlaceholderData}
          onRefresh={() => void refresh()}
          onDown={walk.focusActive}
          onShortcuts={() => setSheetOpen(true)}
          searchRef={search}
        />
        <div className="list-rows">
          {list.isError && (
            <FailureNotice
              title="Could not load the posts"
              error={list.error}
              kept={list.data && 'What you see is what was there before.'}
              onRetry={() => void list.refetch()}
              pending={list.isFetching}
            />
          )}
          {list.isPending && (
            <ListTableSkeleton look="post-table" columns={postColumns} sort={view.sort} what="the posts" />
          )}
          {list.data &&
            (rows.length > 0 ? (
              <PostTable
                view={view}
                rows={rows}
                outdated={list.isPlaceholderData}
                activeId={walk.activeId}
                onActivate={walk.activate}
                onDelete={setDeleting}
                onRestore={trash.restore}
                bodyRef={walk.body}
              />
            ) : (
              <NoPosts
                view={view}
                onClear={() => {
                  filterPosts({ q: '' });
                  search.current?.focus();
                }}
              />
            ))}
        </div>
        {list.data && (
          <Pager
            range={list.isPlaceholderData ? '' : range}
            readAt={list.dataUpdatedAt}
            onPrevious={walk.newer}
            onNext={walk.older}
            onNear={() => nextCursor && prefetch({ ...listQueryOf(view), cursor: nextCursor })}
          />
        )}
      </div>
      {view.post !== undefined && <PostDialog id={view.post} />}
      {deleting && (
        <DeleteDialog
          post={deleting}
          onDelete={() => {
            setDeleting(null);
            trash.remove(deleting);
          }}
          onClose={() => setDeleting(null)}
        />
      )}
      {sheetOpen && (
        <ShortcutSheet
          shortcuts={shortcuts}
          singleKeys={singleKeys}
          onSingleKeys={setSingleKeys}
          onClose={() => setSheetOpen(false)}
        />
      )}
    </div>
  );
}

/** Deletes and restores posts, and says what became of it; what was deleted can be taken back. */
function useTrashWithNotice() {
  const trash = useTrash({
    onSuccess: (post, to) => {
      if (to === 'list') {
        showToast({ title: 'Blog post restored', description: `“${post.title}” is back, at /blog/${post.slug}.` });
        return;
      }
      showToast({
        title: 'Blog post deleted successfully!',
        description: `“${post.title}” is in the trash for 30 days.`,
        action: { label: 'Undo', onSelect: () => trash.mutate({ post, to: 'list' }) },
        durationMs: 10_000,
      });
    },
    onError: (error, to) =>
      showToast({
        title: to === 'trash' ? 'Failed to delete blog post' : 'Failed to restore blog post',
        description: errorText(error),
        variant: 'destructive',
      }),
  });
  const { mutate } = trash;
  return {
    remove: (post: PostSummary) => mutate({ post, to: 'trash' }),
    restore: useCallback((post: PostSummary) => mutate({ post, to: 'list' }), [mutate]),
  };
}
