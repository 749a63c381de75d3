import { type MouseEvent, type RefObject, memo } from 'react';
import type { PostSummary } from '../../domain/post.ts';
import { postPath } from '../../domain/post-text.ts';
import { IconButton } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type Column, ListTable } from '../ui/ListTable.tsx';
import { opensRow } from '../ui/opens-row.ts';
import type { RowPlace } from '../ui/use-row-walk.ts';
import { PostStatus } from './PostStatus.tsx';
import { openPost } from './posts-place.ts';
import { type PostsView, searchOf } from './view.ts';

interface PostTableProps {
  view: PostsView;
  rows: readonly PostSummary[];
  /** The rows are those of the page before, or of the search before. */
  outdated: boolean;
  /** The row in the tab order. */
  activeId: string | undefined;
  /** Always the same function: a row that did not change is not rendered again when another one takes the focus. */
  onActivate: (place: RowPlace) => void;
  onDelete: (post: PostSummary) => void;
  onRestore: (post: PostSummary) => void;
  bodyRef: RefObject<HTMLTableSectionElement | null>;
}

export const postColumns: readonly Column[] = [
  { name: 'title', label: 'Title' },
  { name: 'slug', label: 'Address' },
  { name: 'status', label: 'Status' },
  { name: 'date', label: 'Date' },
  { name: 'tools', label: <span className="unseen">What can be done</span> },
];

/** The posts of one page. */
export function PostTable({ view, rows, activeId, onActivate, onDelete, onRestore, ...table }: PostTableProps) {
  return (
    <ListTable {...table} look="post-table" columns={postColumns} sort={view.sort} label="Blog posts" page={view.page}>
      {rows.map((post, index) => (
        <PostRow
          key={post.id}
          post={post}
          index={index}
          href={searchOf({ ...view, post: post.id })}
          active={activeId === post.id}
          onActivate={onActivate}
          onDelete={onDelete}
          onRestore={onRestore}
        />
      ))}
    </ListTable>
  );
}

interface PostRowProps extends Pick<PostTableProps, 'onActivate' | 'onDelete' | 'onRestore'> {
  post: PostSummary;
  index: number;
  href: string;
  active: boolean;
}

const PostRow = memo(function PostRow({ post, index, href, active, onActivate, onDelete, onRestore }: PostRowProps) {
  const { id, title, slug, status } = post;
  const trashed = post.deletedAt !== null;
  const tabIndex = active ? 0 : -1;
  const activate = () => onActivate({ id, index });

  const onClick = (event: MouseEvent) => {
    if (!opensRow(event)) return;
    activate();
    openPost(id);
  };

  return (
    <tr className="list-row" onClick={onClick}>
      <th scope="row" className="cell-title">
        <a className="two-lines" href={href} tabIndex={tabIndex} onFocus={activate}>
          {title}
        </a>
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
            tabIndex={tabIndex}
            aria-label={`View “${title}” on the site`}
            title="View on the site"
            onFocus={activate}
          >
            <Icon name="outside" />
          </a>
        )}
        <IconButton
          icon={trashed ? 'undo' : 'bin'}
          label={`${trashed ? 'Restore' : 'Delete'} “${title}”`}
          tabIndex={tabIndex}
          onFocus={activate}
          onClick={() => (trashed ? onRestore : onDelete)(post)}
        />
      </td>
    </tr>
  );
});

/** The date that matters to the post's status. */
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
      Changed <DateTime iso={updatedAt} />
    </>
  );
}
