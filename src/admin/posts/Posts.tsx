import { useEffect, useState } from 'react';
import { postFields, postStatusNames } from '../../domain/post-fields.ts';
import type { PostListQuery, PostSummary } from '../../domain/post.ts';
import { fetched, loadWhenIdle } from '../lib/fetched.tsx';
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
import { countOfAll, newPostId, openPost, postList, postsUrl } from './list/list.ts';
import { useTrash } from './list/queries.ts';
import { UnsavedPosts } from './list/UnsavedPosts.tsx';
import { useUnsavedList } from '../unsaved/queries.ts';

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
  const trash = useTrash();
  const unsaved = useUnsavedList('post');
  const { isFetched } = list.page;
  useEffect(() => (isFetched ? loadWhenIdle([PostDialog]) : undefined), [isFetched]);

  const keys: Shortcuts = {
    n: () => openPost(newPostId()),
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
          <Button look="primary" icon="plus" onClick={() => openPost(newPostId())}>
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
          {['all', 'draft'].includes(view.status) && view.q === '' && view.page === 1 && (
            <UnsavedPosts posts={unsaved} />
          )}
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
            <PostTable list={list} unsaved={unsaved} onDelete={setDeleting} onRestore={trash.restore} />
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
