import blogPosts from '../../netlify/functions/blog-posts.ts';
import { startSession } from '../../netlify/server/auth/sessions.ts';
import { lendPlatform } from '../../netlify/server/platform.ts';
import type { PostRecord } from '../../src/domain/post.ts';
import { type Sent, type TestServices, call, testServices } from './services.ts';

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

export interface PostDesk extends TestServices {
  /** Headers with the session of the admin. */
  readonly headers: Record<string, string>;
  /** Calls the function for posts as that admin. */
  admin(path?: string, sent?: Sent): Promise<Response>;
  /** Creates a post, which must succeed. */
  create(changes?: Record<string, unknown>, headers?: Record<string, string>): Promise<PostRecord>;
  /** Signs in as another admin. @returns the headers with their session. */
  signIn(email: string): Promise<Record<string, string>>;
}

/** Creates services with an admin who is signed in. */
export async function postDesk(variables: Record<string, string> = {}): Promise<PostDesk> {
  const site = await testServices(variables);
  // Acts as a self-hosted server, which has no CDN to purge.
  lendPlatform({ env: site.services.env, openBlobStore: site.blobs });
  const signIn = async (email: string) => {
    const { token } = await startSession(email, new Request('http://site.test'), site.services);
    return { authorization: `Bearer ${token}` };
  };
  const first = { email: 'a@firm.example', passwordHash: '-' };
  await site.services.stores.admins.createFirst(first, '2026-01-01T00:00:00Z');
  const headers = await signIn(first.email);
  const admin = (path = '', sent: Sent = {}) =>
    call(blogPosts, `/api/cms/blog-posts${path}`, site.services, {
      ...sent,
      headers: { ...headers, ...sent.headers },
    });
  return {
    ...site,
    headers,
    admin,
    signIn,
    async close() {
      lendPlatform(undefined);
      await site.close();
    },
    async create(changes = {}, sent = {}) {
      site.advance(1_000);
      const response = await admin('', { json: aPost(changes), headers: sent });
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()).data as PostRecord;
    },
  };
}
