import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { filterPosts, openPost } from './posts-place.ts';
import { type PostsView, newPost } from './view.ts';

const emptyTexts = {
  draft: { title: 'No drafts', words: 'A draft is seen by nobody but those who sign in here.' },
  scheduled: {
    title: 'Nothing is scheduled',
    words: 'A draft with a time under “Publish at” appears on the blog by itself.',
  },
  published: {
    title: 'Nothing is published yet',
    words: 'A post appears on the blog the moment it is saved with the status Published.',
  },
  trash: { title: 'The trash is empty', words: 'A deleted post stays here for 30 days, and can be restored.' },
} as const;

interface NoPostsProps {
  view: PostsView;
  onClear: () => void;
}

/** What the list says where it has no row: why, and what to do next. */
export function NoPosts({ view, onClear }: NoPostsProps) {
  if (view.page > 1) {
    return (
      <EmptyState title="Nothing more on this page">
        <p>Its posts were deleted or moved meanwhile.</p>
        <Button onClick={() => filterPosts({})}>To the first page</Button>
      </EmptyState>
    );
  }
  if (view.q !== '') {
    return (
      <EmptyState title={`No posts match “${view.q}”.`}>
        <p>Titles, addresses, excerpts and texts were searched for every word.</p>
        <Button icon="cross" onClick={onClear}>
          Clear search
        </Button>
      </EmptyState>
    );
  }
  if (view.status !== 'all') {
    const { title, words } = emptyTexts[view.status];
    return (
      <EmptyState title={title}>
        <p>{words}</p>
        <Button onClick={() => filterPosts({ status: 'all' })}>All posts</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No blog posts yet">
      <p>Write the first one. It stays a draft until you publish it.</p>
      <Button look="primary" icon="plus" onClick={() => openPost(newPost)}>
        New post
      </Button>
    </EmptyState>
  );
}
