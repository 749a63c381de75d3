import { PostTableHead } from './PostTable.tsx';
import type { PostsView } from './view.ts';

const columns = ['created', 'title', 'status', 'slug', 'published', 'updated', 'tools'];

/** The list while it is on its way, in the sizes that it will have. */
export function PostTableSkeleton({ sort }: { sort: PostsView['sort'] }) {
  return (
    <>
      <p className="unseen" role="status">
        Loading the posts…
      </p>
      <table className="post-table" aria-hidden="true">
        <PostTableHead sort={sort} />
        <tbody>
          {Array.from({ length: 12 }, (_, row) => (
            <tr key={row} className="post-row">
              {columns.map((column) => (
                <td key={column} className={`cell-${column}`}>
                  <span className="skeleton skeleton-text" />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
