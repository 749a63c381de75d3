import type { RefObject } from 'react';
import type { PostPage } from '../../domain/post.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { filterPosts, openPost } from './posts-place.ts';
import { type PostsView, newPost } from './view.ts';

const number = new Intl.NumberFormat('en-US');

interface PostsToolbarProps {
  view: PostsView;
  counts: PostPage['counts'] | undefined;
  refreshing: boolean;
  onRefresh: () => void;
  onDown: () => void;
  onShortcuts: () => void;
  searchRef: RefObject<HTMLInputElement | null>;
}

/** Which posts are shown, and a new one. */
export function PostsToolbar(props: PostsToolbarProps) {
  const { view, counts, refreshing } = props;
  const newestFirst = view.sort === '-createdAt';
  const choices = [
    { status: 'all', label: 'All', count: counts && counts.draft + counts.published },
    { status: 'draft', label: 'Drafts', count: counts?.draft },
    { status: 'published', label: 'Published', count: counts?.published },
    { status: 'trash', label: 'Trash', count: counts?.trash },
  ] as const;
  return (
    <div className="list-toolbar posts-toolbar">
      <Button look="primary" icon="plus" onClick={() => openPost(newPost)}>
        New post
      </Button>
      <div className="segments" role="group" aria-label="Status">
        {choices.map(({ status, label, count }) => (
          <button
            key={label}
            type="button"
            className="segment"
            aria-pressed={view.status === status}
            onClick={() => filterPosts({ status })}
          >
            {label}
            <span className="segment-count">{count !== undefined && number.format(count)}</span>
          </button>
        ))}
      </div>
      <SearchField
        label="Search posts"
        q={view.q}
        onSearch={(q) => filterPosts({ q })}
        onDown={props.onDown}
        inputRef={props.searchRef}
      />
      <Button
        look="quiet"
        icon={newestFirst ? 'newest' : 'oldest'}
        title={newestFirst ? 'Show the oldest first' : 'Show the newest first'}
        onClick={() => filterPosts({ sort: newestFirst ? 'createdAt' : '-createdAt' })}
      >
        {newestFirst ? 'Newest first' : 'Oldest first'}
      </Button>
      <div className="list-tools">
        <Button look="quiet" icon="again" title="Refresh" onClick={props.onRefresh} pending={refreshing}>
          Refresh
        </Button>
        <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={props.onShortcuts} />
      </div>
    </div>
  );
}
