import { opensElsewhere } from '../../lib/location.ts';
import { momentText } from '../../unsaved/UnsavedLine.tsx';
import type { useUnsavedList } from '../../unsaved/copies.ts';
import { isNewPost, openPost, postList } from './list.ts';

/** Lists the admin's posts that were never saved, above the drafts. Opening one continues it. */
export function UnsavedPosts({ posts }: { posts: ReturnType<typeof useUnsavedList> }) {
  const own = posts.filter((post) => post.own && isNewPost(post.id));
  if (own.length === 0) return null;
  return (
    <ul className="rule-b-rule-strong" aria-label="Unsaved posts">
      {own.map(({ id, title, updatedAt }) => (
        <li key={id} className="relative flex flex-wrap gap-x-3 px-3 py-2.5 rule-t-rule hover:bg-raised">
          <a
            className="row-link after:absolute after:inset-0"
            href={postList.write({ ...postList.read(''), open: id })}
            onClick={(event) => {
              if (opensElsewhere(event)) return;
              event.preventDefault();
              openPost(id);
            }}
          >
            {title.trim() || 'Untitled'}
          </a>
          <span className="text-ink-soft">· Unsaved · yours · {momentText(updatedAt)}</span>
        </li>
      ))}
    </ul>
  );
}
