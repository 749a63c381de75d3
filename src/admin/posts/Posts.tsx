import { useCallback, useEffect, useState } from 'react';
import { postFields, postStatusNames } from '../../domain/post-fields.ts';
import type { PostListQuery, PostSummary } from '../../domain/post.ts';
import { keptDays } from '../../domain/retention.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../lib/error-text.ts';
import { fetched, loadWhenIdle } from '../lib/fetched.tsx';
import { undo } from '../lib/undo.ts';
import { useList } from '../lib/use-list.ts';
import type { Shortcuts } from '../lib/use-shortcuts.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyList, ListContent } from '../ui/ListContent.tsx';
import { ListShortcuts } from '../ui/ListShortcuts.tsx';
import { ListTableSkeleton } from '../ui/ListTable.tsx';
import { ListToolbar } from '../ui/ListToolbar.tsx';
import { Pager } from '../ui/Pager.tsx';
import { Segments } from '../ui/Segments.tsx';
import type { Shortcut } from '../ui/ShortcutSheet.tsx';
import { DeleteDialog } from './list/DeleteDialog.tsx';
import { NoPosts } from './list/NoPosts.tsx';
import { PostTable, postColumns } from './list/PostTable.tsx';
import { countOfAll, newPost, openPost, postList, postsUrl } from './list/list.ts';
import { useTrash } from './list/queries.ts';

const PostDialog = fetched(() => import('./writing/PostDialog.tsx'));

const statuses: readonly { value: PostListQuery['status']; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: 'Drafts' },
  { value: 'scheduled', label: postStatusNames.scheduled },
  { value: 'published', label: postStatusNames.published },
  { value: 'trash', label: 'Trash' },
];

const shortcuts: readonly Shortcut[] = [
  { keys: ['↓', 'j'], does: 'Next post' },
  { keys: ['↑', 'k'], does: 'Previous post' },
  { keys: ['Enter'], does: 'Edit post' },
  { keys: ['n'], does: 'New post' },
  { keys: ['Del'], does: 'Delete post' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'Show keyboard shortcuts' },
  { keys: ['Ctrl+S'], does: 'Save without closing the post' },
  { keys: ['Ctrl+K'], does: 'Add or change a link' },
  { keys: ['Esc'], does: 'Move from the text to the toolbar' },
];

/** Blog Posts: the list of posts, and the open post (docs/product.md#posts). */
export default function Posts() {
  const list = useList(postList);
  const { view, rows, counts, navigation } = list;
  const [deleting, setDeleting] = useState<PostSummary | null>(null);
  const trash = useTrashWithToast();
  const { isFetched } = list.page;
  useEffect(() => (isFetched ? loadWhenIdle([PostDialog]) : undefined), [isFetched]);

  const keys: Shortcuts = {
    n: () => openPost(newPost),
    Delete: (_event, target) => {
      const row = rows[navigation.index];
      if (!row || row.deletedAt !== null || !navigation.body.current?.contains(target)) return false;
      setDeleting(row);
      return true;
    },
  };
  const totals = counts && { ...counts, all: countOfAll(counts) };
  return (
    <div className="list-screen">
      <div className="list-main">
        <ListToolbar list={list} look="posts-toolbar" searchLabel="Search posts" shortcuts>
          <Button look="primary" icon="plus" onClick={() => openPost(newPost)}>
            New post
          </Button>
          <Segments
            label={postFields.status.label}
            choices={statuses.map((status) => ({ ...status, count: totals?.[status.value] ?? null }))}
            chosen={view.status}
            onChoose={(status) => postsUrl.filter({ status })}
          />
        </ListToolbar>
        <div className="list-rows">
          <ListContent
            list={list}
            skeleton={<ListTableSkeleton look="post-table" columns={postColumns} sort={view.sort} what="the posts" />}
            empty={
              <EmptyList
                list={list}
                moved="The posts on this page were deleted or moved."
                searched="We looked for posts with every word of your search in the title, URL, excerpt or content."
              >
                <NoPosts status={view.status} />
              </EmptyList>
            }
          >
            <PostTable list={list} onDelete={setDeleting} onRestore={trash.restore} />
          </ListContent>
        </div>
        <Pager list={list} />
      </div>
      {view.open !== undefined && <PostDialog id={view.open} />}
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
      <ListShortcuts list={list} keys={keys} shortcuts={shortcuts} />
    </div>
  );
}

/** Deletes and restores posts, and shows a toast for each result. The toast for a deletion offers Undo. */
function useTrashWithToast() {
  const trash = useTrash({
    onSuccess: (post, to) => {
      if (to === 'list') {
        showToast({ title: 'Blog post restored', description: `“${post.title}” is back at /blog/${post.slug}.` });
        return;
      }
      showToast({
        title: 'Blog post deleted successfully!',
        description: `“${post.title}” is in the trash for ${keptDays.trashedPost} days.`,
        ...undo(() => trash.mutate({ post, to: 'list' })),
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
