import type { PostSummary } from '../../domain/post.ts';
import { Icon } from '../ui/Icon.tsx';

/** A post's status as a drawing and a word. */
export function PostStatus({ status }: { status: PostSummary['status'] }) {
  return (
    <span className={`post-status post-${status}`}>
      <Icon name={status === 'published' ? 'tick' : 'pencil'} />
      <span>{status === 'published' ? 'Published' : 'Draft'}</span>
    </span>
  );
}
