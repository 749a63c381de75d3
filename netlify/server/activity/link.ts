import { apiPaths } from '../../../src/domain/api-paths.ts';

/** The admin pages that show one record, by the beginning of the API paths that change such records. */
const pages: readonly [apiPath: string, page: string][] = [
  [apiPaths.inquiries.list, '/admin?tab=submissions&submission='],
  [apiPaths.applications.list, '/admin?tab=submissions&list=applications&submission='],
  [apiPaths.posts, '/admin?tab=blog&post='],
  [apiPaths.media, '/admin?tab=media&file='],
];

/** Returns the URL of the admin page for the record that a request to a route changed; empty if there is none. */
export function linkToRecord({ method, path }: { method: string; path: string }, id: string | undefined): string {
  const page = pages.find(([apiPath]) => path === apiPath || path.startsWith(`${apiPath}/`))?.[1];
  return page !== undefined && id !== undefined && method !== 'DELETE' ? page + encodeURIComponent(id) : '';
}
