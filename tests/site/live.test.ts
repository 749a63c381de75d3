import { expect, test } from 'vitest';
import { apiPaths } from '../../src/domain/api-paths.ts';
import { adminCall, useSession } from '../support/inbox.ts';
import { aPost } from '../support/posts.ts';
import { useSite } from '../support/site.ts';

const site = useSite();
const session = useSession(site);

const admin = adminCall(site, session);
const html = async (path: string) => (await fetch(site.url + path)).text();

test(
  'A text that an admin saves is in the HTML of the next visitor, who runs no script',
  { timeout: 120_000 },
  async () => {
    // Visitors request pages continuously, and no request may fail.
    let going = true;
    const failed: string[] = [];
    const visitors = ['/', '/contact', '/blog', '/rss.xml'].map(async (path) => {
      while (going) {
        const response = await fetch(site.url + path);
        if (!response.ok || !(await response.text()).endsWith('>')) failed.push(`${path}: ${response.status}`);
      }
    });
    try {
      for (let round = 1; round <= 2; round += 1) {
        const words = `Round ${round}: "books" & balance`;
        await admin(apiPaths.section('hero_title'), 'PUT', { title: words });
        await admin(apiPaths.section('cta_title'), 'PUT', { title: words });
        const post = await admin(
          '/api/cms/blog-posts',
          'POST',
          aPost({ slug: `live-${round}`, title: words, status: 'published' }),
        );
        for (const path of ['/', '/contact']) {
          await expect
            .poll(() => html(path), { interval: 50 })
            .toContain(`>Round ${round}: "books" &amp; balance</h1>`);
        }
        for (const path of ['/blog', `/blog/live-${round}`, '/sitemap-posts-1.xml', '/rss.xml']) {
          await expect.poll(() => html(path), { interval: 50 }).toContain(`/blog/live-${round}`);
        }
        expect(await html(`/blog/live-${round}`)).toContain(`<meta property="og:title" content="Round ${round}: `);
        await admin(`/api/cms/blog-posts/${post.id}`, 'DELETE', {});
        await expect.poll(() => html('/blog'), { interval: 50 }).not.toContain(`/blog/live-${round}`);
      }
    } finally {
      going = false;
    }
    await Promise.all(visitors);
    expect(failed).toEqual([]);
  },
);
