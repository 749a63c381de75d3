import { memo } from 'react';
import { postFields } from '../../domain/post-input.ts';
import type { PostSummary } from '../../domain/post.ts';
import { postPath } from '../../domain/post-text.ts';
import { IconButton } from '../ui/Button.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type Column, ListTable, rowProps } from '../ui/ListTable.tsx';
import type { ShownList } from '../lib/use-list.ts';
import type { useUnsavedList } from '../unsaved/copies.ts';
import { PostStatus } from './PostStatus.tsx';
import { openPost } from './list.ts';

type Unsaved = ReturnType<typeof useUnsavedList>;

interface PostActions {
  onDelete: (post: PostSummary) => void;
  onRestore: (post: PostSummary) => void;
}

export const postColumns: readonly Column[] = [
  { name: 'title', label: postFields.title.label },
  { name: 'slug', label: 'URL' },
  { name: 'status', label: postFields.status.label },
  { name: 'date', label: 'Date' },
  { name: 'tools', label: <span className="sr-only">Actions</span> },
];

/** The table with one page of posts. */
export function PostTable({
  list,
  unsaved,
  ...actions
}: { list: ShownList<PostSummary>; unsaved: Unsaved } & PostActions) {
  return (
    <ListTable list={list} columns={postColumns} label="Blog posts">
      {(post, { href }) => (
        <PostRow
          key={post.id}
          post={post}
          unsavedBy={unsaved
            .filter(({ id }) => id === post.id)
            .map(({ own, by }) => (own ? 'yours' : by))
            .join(', ')}
          href={href}
          {...actions}
        />
      )}
    </ListTable>
  );
}

interface PostRowProps extends PostActions {
  post: PostSummary;
  unsavedBy: string;
  href: string;
}

const PostRow = memo(function PostRow({ post, unsavedBy, href, onDelete, onRestore }: PostRowProps) {
  const { id, title, slug, status } = post;
  const trashed = post.deletedAt !== null;
  return (
    <tr {...rowProps(id, openPost)}>
      <th scope="row" className="cell-title">
        <a className="row-link two-lines" href={href}>
          {title}
        </a>
        {unsavedBy && <span className="block text-xs text-ink-soft">Unsaved changes · {unsavedBy}</span>}
      </th>
      <td className="cell-slug">/blog/{slug}</td>
      <td className="cell-status">
        <PostStatus post={post} />
      </td>
      <td className="cell-date">
        <PostDate post={post} />
      </td>
      <td className="cell-tools">
        {status === 'published' && !trashed && (
          <a
            className="icon-button"
            href={postPath(slug)}
            target="_blank"
            rel="noopener"
            aria-label={`View “${title}” on the site`}
            title="View on the site"
          >
            <Icon name="outside" />
          </a>
        )}
        <IconButton
          icon={trashed ? 'undo' : 'bin'}
          label={`${trashed ? 'Restore' : 'Delete'} “${title}”`}
          onClick={() => (trashed ? onRestore : onDelete)(post)}
        />
      </td>
    </tr>
  );
});

/** The most relevant date: deleted, scheduled, published or updated. */
function PostDate({ post: { publishAt, publishedAt, updatedAt, deletedAt } }: { post: PostSummary }) {
  if (deletedAt !== null)
    return (
      <>
        Deleted <DateTime iso={deletedAt} />
      </>
    );
  if (publishAt !== null) return <DateTime iso={publishAt} zoned />;
  if (publishedAt !== null) return <DateTime iso={publishedAt} />;
  return (
    <>
      Updated <DateTime iso={updatedAt} />
    </>
  );
}
