import { postFields, postStatusNames } from '../../domain/post-input.ts';
import type { PostSummary } from '../../domain/post.ts';
import { postPath } from '../../domain/post-text.ts';
import { IconButton } from '../ui/Button.tsx';
import { DateTime, Dated } from '../ui/Fact.tsx';
import { Badge, Icon } from '../ui/Icon.tsx';
import { type Column, ListTable } from '../ui/ListTable.tsx';
import type { ShownList } from '../lib/use-list.ts';
import { type useUnsavedList, writersOf } from '../unsaved/copies.ts';
import { openPost } from './list.ts';

interface PostTableProps {
  list: ShownList<PostSummary>;
  unsaved: ReturnType<typeof useUnsavedList>;
  onDelete: (post: PostSummary) => void;
  onRestore: (post: PostSummary) => void;
}

/** The table with one page of posts. */
export function PostTable({ list, unsaved, onDelete, onRestore }: PostTableProps) {
  const columns: readonly Column<PostSummary>[] = [
    {
      name: 'title',
      label: postFields.title.label,
      heading: true,
      cell: ({ id, title }, link) => {
        const writers = writersOf(unsaved, id);
        return (
          <>
            {link(title)}
            {writers && <span className="block text-xs text-ink-soft">Unsaved changes · {writers}</span>}
          </>
        );
      },
    },
    { name: 'slug', label: 'URL', cell: ({ slug }) => `/blog/${slug}` },
    { name: 'status', label: postFields.status.label, cell: (post) => <PostStatus post={post} /> },
    { name: 'date', label: 'Date', cell: (post) => <PostDate post={post} /> },
    {
      name: 'tools',
      label: <span className="sr-only">Actions</span>,
      cell: (post) => <PostTools post={post} onDelete={onDelete} onRestore={onRestore} />,
    },
  ];
  return <ListTable list={list} columns={columns} label="Blog posts" onOpen={openPost} />;
}

type PostToolsProps = { post: PostSummary } & Pick<PostTableProps, 'onDelete' | 'onRestore'>;

function PostTools({ post, onDelete, onRestore }: PostToolsProps) {
  const { title, slug, status } = post;
  const trashed = post.deletedAt !== null;
  return (
    <>
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
    </>
  );
}

/** The most relevant date: deleted, scheduled, published or updated. */
function PostDate({ post: { publishAt, publishedAt, updatedAt, deletedAt } }: { post: PostSummary }) {
  if (deletedAt !== null) return <Dated label="Deleted" iso={deletedAt} />;
  if (publishAt !== null) return <DateTime iso={publishAt} zoned />;
  return publishedAt === null ? <Dated label="Updated" iso={updatedAt} /> : <DateTime exact iso={publishedAt} />;
}

const icons = { draft: 'pencil', scheduled: 'clock', published: 'tick' } as const;

/** A post's status as an icon and a word. */
export function PostStatus({ post: { status, publishAt } }: { post: Pick<PostSummary, 'status' | 'publishAt'> }) {
  const shown = publishAt === null ? status : 'scheduled';
  return (
    <Badge icon={icons[shown]} accent={shown === 'published'} look={shown === 'draft' ? 'soft' : 'ink'}>
      {postStatusNames[shown]}
    </Badge>
  );
}
