import { useState } from 'react';
import { postFields, postStatusNames } from '../../domain/posts/post-input.ts';
import type { PostListQuery, PostSummary } from '../../domain/posts/post.ts';
import { postPath } from '../../domain/posts/post-text.ts';
import { keptDays } from '../../domain/submissions/retention.ts';
import { fetched } from '../lib/fetched.tsx';
import { onPlainClick } from '../lib/location.ts';
import { momentText } from '../../lib/dates.ts';
import { useList } from '../lists/use-list.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Badge, Icon } from '../ui/Icon.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { ListScreen } from '../lists/ListScreen.tsx';
import { type Column, ListTable } from '../lists/ListTable.tsx';
import { Segments } from '../lists/ListToolbar.tsx';
import { useUnsavedList, writersOf } from '../unsaved/copies.ts';
import { countOfAll, isNewPost, openNewPost, openPost, postList, statusBadge, useTrash } from './list.ts';
import { postTime } from './post-time.ts';

const DeletePost = fetched(() => import('./DeletePost.tsx'));
const PostDialog = fetched(() => import('./writing/PostDialog.tsx'));

const statuses: readonly { value: PostListQuery['status']; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: 'Drafts' },
  { value: 'scheduled', label: postStatusNames.scheduled },
  { value: 'published', label: postStatusNames.published },
  { value: 'trash', label: 'Trash' },
];

const newPostButton = (
  <Button look="primary" icon="plus" onClick={openNewPost}>
    New post
  </Button>
);

/** Blog Posts: the list of posts, and the open post (docs/product.md#posts). */
export default function Posts() {
  const list = useList(postList);
  const { view, page } = list;
  const [deleting, setDeleting] = useState<PostSummary | null>(null);
  const trash = useTrash();
  const unsaved = useUnsavedList('post');

  const counts = page.data?.counts;
  const totals = counts && { ...counts, all: countOfAll(counts) };
  return (
    <ListScreen
      list={list}
      searched="The site searched titles, slugs, excerpts and content."
      filters={
        <Segments
          label={postFields.status.label}
          choices={statuses.map((status) => ({ ...status, count: totals?.[status.value] ?? null }))}
          chosen={view.status}
          onChoose={(status) => postList.filter({ status })}
        />
      }
      tools={newPostButton}
      above={
        ['all', 'draft'].includes(view.status) && view.q === '' && view.after === '' && <UnsavedPosts posts={unsaved} />
      }
      empty={<NoPosts status={view.status} />}
      pane={
        <>
          {view.open !== undefined && <PostDialog id={view.open} />}
          {deleting && <DeletePost post={deleting} remove={trash.remove} onClose={() => setDeleting(null)} />}
        </>
      }
    >
      <ListTable
        list={list}
        columns={columnsOf(unsaved, setDeleting, trash.restore.mutate)}
        label="Blog posts"
        onOpen={openPost}
      />
    </ListScreen>
  );
}

const columnsOf = (
  unsaved: ReturnType<typeof useUnsavedList>,
  onDelete: (post: PostSummary) => void,
  onRestore: (post: PostSummary) => void,
): readonly Column<PostSummary>[] => [
  {
    name: 'title',
    label: postFields.title.label,
    heading: true,
    cell: ({ id, title }, link) => {
      const writers = writersOf(unsaved, id);
      return (
        <>
          {link(title)}
          {writers && <span className="block truncate text-xs text-ink-soft">Unsaved changes by {writers}</span>}
        </>
      );
    },
  },
  { name: 'slug', label: postFields.slug.label, cell: ({ slug }) => `/blog/${slug}` },
  { name: 'status', label: postFields.status.label, cell: (post) => <Badge {...statusBadge(post)} /> },
  { name: 'date', label: 'Date', cell: (post) => <PostDate post={post} /> },
  {
    name: 'tools',
    label: <span className="sr-only">Actions</span>,
    cell: (post) => (
      <>
        {post.status === 'published' && !post.deletedAt && (
          <a
            className="icon-button"
            href={postPath(post.slug)}
            target="_blank"
            rel="noopener"
            aria-label={`View “${post.title}” on the site`}
            title="View on the site"
          >
            <Icon name="outside" />
          </a>
        )}
        <IconButton
          icon={post.deletedAt ? 'undo' : 'bin'}
          label={`${post.deletedAt ? 'Restore' : 'Delete'} “${post.title}”`}
          onClick={() => (post.deletedAt ? onRestore : onDelete)(post)}
        />
      </>
    ),
  },
];

function PostDate({ post }: { post: PostSummary }) {
  const { iso, text, label } = postTime(post);
  return (
    <>
      {label}
      <time dateTime={iso} title={iso}>
        {text}
      </time>
    </>
  );
}

/** Lists the admin's posts that were never saved, above the drafts. Opening one continues it. */
function UnsavedPosts({ posts }: { posts: ReturnType<typeof useUnsavedList> }) {
  const own = posts.filter((post) => post.own && isNewPost(post.id));
  if (own.length === 0) return null;
  return (
    <ul className="rule-b-rule-strong" aria-label="Unsaved posts">
      {own.map(({ id, title, updatedAt }) => (
        <li key={id} className="relative flex flex-wrap gap-x-3 px-2 py-2.5 rule-t-rule hover:bg-raised">
          <a
            className="row-link after:absolute after:inset-0"
            href={postList.write({ ...postList.read(''), open: id })}
            onClick={onPlainClick(() => openPost(id))}
          >
            {title.trim() || 'Untitled'}
          </a>
          <span className="text-ink-soft">Unsaved post, last edited {momentText(updatedAt)}</span>
        </li>
      ))}
    </ul>
  );
}

const emptyTexts = {
  all: { title: 'No blog posts yet', words: 'Write your first post. It stays a draft until you publish it.' },
  draft: { title: 'No drafts', words: 'Only admins, and people with a share link, can read a draft.' },
  scheduled: {
    title: 'No scheduled posts',
    words: `To schedule a post, set its status to ${postStatusNames.scheduled}, enter a time, and save the post.`,
  },
  published: {
    title: 'No published posts',
    words: `To publish a post, set its status to ${postStatusNames.published} and save the post.`,
  },
  trash: {
    title: 'The trash is empty',
    words: `For ${keptDays.trashedPost} days after you delete a post, you can restore the post. After that, the site deletes the post permanently.`,
  },
};

/** Explains why the list is empty and what to do next. */
function NoPosts({ status }: { status: PostListQuery['status'] }) {
  const { title, words } = emptyTexts[status];
  return (
    <EmptyState title={title}>
      <p>{words}</p>
      {status === 'all' ? newPostButton : <Button onClick={() => postList.filter({ status: 'all' })}>All posts</Button>}
    </EmptyState>
  );
}
