import { postStatusNames } from '../../../domain/post-input.ts';
import type { PostListQuery } from '../../../domain/post.ts';
import { keptDays } from '../../../domain/retention.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/Notice.tsx';
import { newPostId, openPost, postList } from './list.ts';

const emptyTexts = {
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
    words: `For ${keptDays.trashedPost} days after you delete a post, you can restore it. After that, we delete it permanently.`,
  },
};

/** Explains why the list is empty and what to do next. */
export function NoPosts({ status }: { status: PostListQuery['status'] }) {
  if (status !== 'all') {
    const { title, words } = emptyTexts[status];
    return (
      <EmptyState title={title}>
        <p>{words}</p>
        <Button onClick={() => postList.filter({ status: 'all' })}>All posts</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No blog posts yet">
      <p>Write your first post. It stays a draft until you publish it.</p>
      <Button look="primary" icon="plus" onClick={() => openPost(newPostId())}>
        New post
      </Button>
    </EmptyState>
  );
}
