import { postStatusNames } from '../../domain/post-fields.ts';
import type { PostSummary } from '../../domain/post.ts';
import { Icon } from '../ui/Icon.tsx';

const icons = { draft: 'pencil', scheduled: 'clock', published: 'tick' } as const;

/** A post's status as an icon and a word. */
export function PostStatus({ post: { status, publishAt } }: { post: Pick<PostSummary, 'status' | 'publishAt'> }) {
  const shown = publishAt === null ? status : 'scheduled';
  return (
    <span className={`flex items-center gap-1.5 ${shown === 'draft' ? 'text-ink-soft' : 'text-ink'}`}>
      <Icon name={icons[shown]} accent={shown === 'published'} />
      <span>{postStatusNames[shown]}</span>
    </span>
  );
}
