import type { PostRecord } from '../../src/domain/post.ts';
import { useApi } from './api.ts';
import type { Sent } from './services.ts';

/** Returns the fields that the editor sends. The post is a draft by default. */
export function aPost(changes: Record<string, unknown> = {}) {
  return {
    title: 'Closing the books in five days',
    slug: 'closing-the-books-in-five-days',
    content: '<p>Start with the subledgers.</p>',
    excerpt: 'What has to be true on day one.',
    featuredImage: '',
    status: 'draft',
    ...changes,
  };
}

/** Provides the API with an admin, and requests about posts. Call it once, at the top of a file. */
export function usePosts(setup: Parameters<typeof useApi>[0] = {}) {
  const site = useApi({ owner: true, ...setup });
  const posts = (path = '', sent?: Sent) => site.admin(`/api/cms/blog-posts${path}`, sent);
  return Object.assign(site, {
    /** Sends a request about posts as the admin. */
    posts,
    /** Creates a post, which must succeed. */
    async create(changes: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<PostRecord> {
      site.advance(1_000);
      const response = await posts('', { json: aPost(changes), headers });
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()).data as PostRecord;
    },
  });
}
