import { postStatusNames } from '../../domain/post-input.ts';
import type { PostSummary } from '../../domain/post.ts';
import { Badge } from '../ui/Icon.tsx';

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
