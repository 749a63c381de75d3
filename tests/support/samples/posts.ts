import type { PostPage, PostRecord, PublishedPage } from '../../../src/domain/posts/post.ts';
import { useApi } from '../api/api.ts';
import type { Sent } from '../api/services.ts';

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
  const save = (post: PostRecord, changes: Record<string, unknown>, headers: Record<string, string> = {}) =>
    posts(`/${post.id}`, { method: 'PUT', json: { ...post, ...changes }, headers });
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
    /** Sends a post with changes. */
    save,
    /** Saves a post with changes a minute later, which must succeed. */
    saved: async (...given: Parameters<typeof save>): Promise<PostRecord> => {
      site.advance(60_000);
      const response = await save(...given);
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()).data as PostRecord;
    },
    get: async (id: string): Promise<PostRecord> => (await (await posts(`/${id}`)).json()).data,
    list: async (query = ''): Promise<PostPage> => (await posts(query)).json(),
    published: async (query = ''): Promise<PublishedPage> =>
      (await site.ask(`/api/cms/blog-posts/published${query}`)).json(),
  });
}
