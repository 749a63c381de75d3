import { expect, test } from 'vitest';
import { apiPaths } from '../../src/domain/api-paths.ts';
import { adminCall, useSession } from '../support/inbox.ts';
import { aPost } from '../support/posts.ts';
import { useSite } from '../support/site.ts';

const site = useSite();
const session = useSession(site);

const admin = adminCall(site, session);
const html = async (path: string) => (await fetch(site.url + path)).text();

test('A text that an admin saves is in the HTML of the next visitor, who runs no script', async () => {
  // A visitor requests pages continuously, and no request may fail.
  let going = true;
  const failed: string[] = [];
  const visitor = (async () => {
    while (going) {
      for (const path of ['/', '/contact', '/blog', '/rss.xml']) {
        const response = await fetch(site.url + path);
        if (!response.ok || !(await response.text()).endsWith('>')) failed.push(`${path}: ${response.status}`);
      }
    }
  })();
  const appears = (path: string, words: string) => expect.poll(() => html(path), { interval: 50 }).toContain(words);
  try {
    const title = 'The "books" & balance';
    await admin(apiPaths.section('hero_title'), 'PUT', { title });
    await admin(apiPaths.section('cta_title'), 'PUT', { title });
    const { id } = await admin(apiPaths.posts, 'POST', aPost({ slug: 'live', title, status: 'published' }));
    for (const path of ['/', '/contact']) await appears(path, '>The "books" &amp; balance</h1>');
    for (const path of ['/blog', '/blog/live', '/sitemap-posts-1.xml', '/rss.xml']) await appears(path, '/blog/live');
    expect(await html('/blog/live')).toContain('<meta property="og:title" content="The ');
    await admin(`${apiPaths.posts}/${id}`, 'DELETE', {});
    await expect.poll(() => html('/blog'), { interval: 50 }).not.toContain('/blog/live');
  } finally {
    going = false;
    await visitor;
  }
  expect(failed).toEqual([]);
});
