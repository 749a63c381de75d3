import type { PostSummary } from '../../domain/posts/post.ts';
import { dayTimeText, momentText, zonedTimeText } from '../../lib/dates.ts';

/** Returns the most relevant time of a post and its text: deleted, scheduled, published or updated. */
export function postTime({ publishAt, publishedAt, updatedAt, deletedAt }: PostSummary) {
  if (deletedAt !== null) return { iso: deletedAt, text: momentText(deletedAt), label: 'Deleted ' };
  if (publishAt !== null) return { iso: publishAt, text: zonedTimeText(publishAt), label: '' };
  if (publishedAt !== null) return { iso: publishedAt, text: dayTimeText(publishedAt), label: '' };
  return { iso: updatedAt, text: momentText(updatedAt), label: 'Updated ' };
}
