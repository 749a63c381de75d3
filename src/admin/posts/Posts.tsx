import { useEffect, useState } from 'react';
import { postFields, postStatusNames } from '../../domain/post-input.ts';
import type { PostListQuery, PostSummary } from '../../domain/post.ts';
import { fetched, loadWhenIdle } from '../lib/fetched.tsx';
import { useList } from '../lib/use-list.ts';
import { Button } from '../ui/Button.tsx';
import { ListScreen } from '../ui/ListScreen.tsx';
import { ListTableSkeleton } from '../ui/ListTable.tsx';
import { Segments } from '../ui/ListToolbar.tsx';
import { DeleteDialog } from './list/DeleteDialog.tsx';
import { NoPosts } from './list/NoPosts.tsx';
import { PostTable, postColumns } from './list/PostTable.tsx';
import { countOfAll, newPostId, openPost, postList } from './list/list.ts';
import { useTrash } from './list/queries.ts';
import { UnsavedPosts } from './list/UnsavedPosts.tsx';
import { useUnsavedList } from '../unsaved/copies.ts';

const PostDialog = fetched(() => import('./writing/PostDialog.tsx'));

const statuses: readonly { value: PostListQuery['status']; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: 'Drafts' },
  { value: 'scheduled', label: postStatusNames.scheduled },
  { value: 'published', label: postStatusNames.published },
  { value: 'trash', label: 'Trash' },
];

/** Blog Posts: the list of posts, and the open post (docs/product.md#posts). */
export default function Posts() {
  const list = useList(postList);
  const { view, page } = list;
  const [deleting, setDeleting] = useState<PostSummary | null>(null);
  const trash = useTrash();
  const unsaved = useUnsavedList('post');
  const { isFetched } = page;
  useEffect(() => (isFetched ? loadWhenIdle([PostDialog]) : undefined), [isFetched]);

  const counts = page.data?.counts;
  const totals = counts && { ...counts, all: countOfAll(counts) };
  return (
    <ListScreen
      list={list}
      searched="We looked for posts with every word of your search in the title, URL, excerpt or content."
      filters={
        <Segments
          label={postFields.status.label}
          choices={statuses.map((status) => ({ ...status, count: totals?.[status.value] ?? null }))}
          chosen={view.status}
          onChoose={(status) => postList.filter({ status })}
        />
      }
      tools={
        <Button look="primary" icon="plus" onClick={() => openPost(newPostId())}>
          New post
        </Button>
      }
      above={
        ['all', 'draft'].includes(view.status) && view.q === '' && view.page === 1 && <UnsavedPosts posts={unsaved} />
      }
      skeleton={<ListTableSkeleton columns={postColumns} sort={view.sort} />}
      empty={<NoPosts status={view.status} />}
      pane={
        <>
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
        </>
      }
    >
      <PostTable list={list} unsaved={unsaved} onDelete={setDeleting} onRestore={trash.restore} />
    </ListScreen>
  );
}
