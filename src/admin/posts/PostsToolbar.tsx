import type { RefObject } from 'react';
import type { PostPage } from '../../domain/post.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { OrderButton } from '../ui/OrderButton.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Segments } from '../ui/Segments.tsx';
import { filterPosts, openPost } from './posts-place.ts';
import { type PostsView, countOfAll, newPost } from './view.ts';

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
  const choices = [
    { value: 'all', label: 'All', count: counts ? countOfAll(counts) : null },
    { value: 'draft', label: 'Drafts', count: counts?.draft ?? null },
    { value: 'scheduled', label: 'Scheduled', count: counts?.scheduled ?? null },
    { value: 'published', label: 'Published', count: counts?.published ?? null },
    { value: 'trash', label: 'Trash', count: counts?.trash ?? null },
  ] as const;
  return (
    <div className="list-toolbar posts-toolbar">
      <Button look="primary" icon="plus" onClick={() => openPost(newPost)}>
        New post
      </Button>
      <Segments label="Status" choices={choices} chosen={view.status} onChoose={(status) => filterPosts({ status })} />
      <SearchField
        label="Search posts"
        q={view.q}
        onSearch={(q) => filterPosts({ q })}
        onDown={props.onDown}
        inputRef={props.searchRef}
      />
      <OrderButton sort={view.sort} onSort={(sort) => filterPosts({ sort })} />
      <div className="list-tools">
        <Button look="quiet" icon="again" title="Refresh" onClick={props.onRefresh} pending={refreshing}>
          Refresh
        </Button>
        <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={props.onShortcuts} />
      </div>
    </div>
  );
}
