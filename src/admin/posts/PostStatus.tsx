import type { PostSummary } from '../../domain/post.ts';
import { Icon } from '../ui/Icon.tsx';

const looks = {
  draft: { icon: 'pencil', word: 'Draft' },
  scheduled: { icon: 'clock', word: 'Scheduled' },
  published: { icon: 'tick', word: 'Published' },
} as const;

/** A post's status as an icon and a word. */
export function PostStatus({ post: { status, publishAt } }: { post: Pick<PostSummary, 'status' | 'publishAt'> }) {
  const shown = publishAt === null ? status : 'scheduled';
  const { icon, word } = looks[shown];
  return (
    <span className={`post-status post-${shown}`}>
      <Icon name={icon} />
      <span>{word}</span>
    </span>
  );
}
