import { load } from 'cheerio';
import { describe, expect, test } from 'vitest';
import { site as firm } from '../../src/site.config.ts';
import { adminCall, cookieOf, useSession } from '../support/samples/inbox.ts';
import { aPost } from '../support/samples/posts.ts';
import { sendJson } from '../support/host/ask.ts';
import { useSite } from '../support/host/site.ts';

const site = useSite();
const session = useSession(site);

const ask = (path: string, init: RequestInit = {}) => fetch(`${site.url}${path}`, { redirect: 'manual', ...init });
const admin = adminCall(site, session);
let count = 0;
const publish = (changes: Record<string, unknown> = {}) => {
  count += 1;
  const post = aPost({ title: `Post ${count}`, slug: `post-${count}`, status: 'published', ...changes });
  return admin('/api/cms/blog-posts', 'POST', post);
};

describe('The blog', () => {
  const read = async (path: string) => {
    const $ = load(await (await ask(path)).text());
    $('template').remove();
    return $;
  };

  test('says that there are no posts yet, then lists published posts in pages of thirteen', async () => {
    const empty = await read('/blog');
    expect(empty('h1').text()).toBe('Blog & News');
    expect(empty('main h2').text()).toContain('No blog posts yet');
    expect(empty('main a:contains("Get Started Today")').attr('href')).toBe('/contact');
    const posts = await Promise.all(Array.from({ length: 14 }, () => publish()));
    const first = await read('/blog');
    expect(first('main article')).toHaveLength(13);
    expect(first('main a:contains("Older posts")').attr('href')).toBe('/blog/page/2');
    const second = await read('/blog/page/2');
    expect(second('title').text()).toContain('Blog & News, page 2');
    expect(second('main a:contains("Newer posts")').attr('href')).toBe('/blog');
    for (const missing of ['/blog/page/1', '/blog/page/999', '/blog/page/x']) {
      const { status, headers } = await ask(missing);
      expect([missing, status, headers.get('cache-control')]).toEqual([missing, 404, 'private, no-store']);
    }
    for (const { id } of posts) await admin(`/api/cms/blog-posts/${id}`, 'DELETE');
  });

  test('links to a post, which is complete in the HTML, with its date, reading time, contents and neighbors', async () => {
    const content = `<p>Close <strong>in order</strong>.</p><h2>First</h2><p>Receivables.</p><h2>Then</h2><p>Payables.</p>
      <h2>Last</h2><script>document.title = 'stolen'</script><img src="/nowhere.png" alt="Ledger" onerror="stolen()">`;
    await publish({ title: 'Older', slug: 'older' });
    const { publishedAt } = await publish({ title: 'Closing the books', slug: 'closing', content });
    await publish({ title: 'Newer: quote-to-cash at month-end', slug: 'newer' });
    const list = await read('/blog');
    // No line breaks inside these words.
    const whole = list('main h2 .whitespace-nowrap').toArray();
    expect(whole.map((words) => list(words).text())).toEqual(['quote-to-cash', 'month-end']);
    expect(list('main article a[href="/blog/closing"]').text()).toMatch(/^Read More\s*: Closing the books$/);
    expect(list('script[src], link[rel=modulepreload]')).toHaveLength(0);
    const $ = await read('/blog/closing');
    const day = new Date(publishedAt).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: firm.timeZone });
    expect($('main header').text()).toContain(day);
    expect($('main header').text()).toContain('1 min read');
    expect($('title').text()).toBe(`Closing the books | ${firm.name}`);
    expect([$('a[rel=prev]').attr('href'), $('a[rel=next]').attr('href')]).toEqual(['/blog/older', '/blog/newer']);
    expect($('main a[href="#part-then"]').text()).toBe('Then');
    expect($('#part-then').text()).toContain('Then');
    expect($('main a[href="/blog"]').text()).toContain('All posts');
    expect($('main script, main [onerror]')).toHaveLength(0);
  });
});

describe('The URL of a post', () => {
  test('returns nothing as soon as the post is unpublished, although the page was cached', async () => {
    const { id, ...post } = await publish({ slug: 'withdrawn' });
    for (const status of [200, 200, 200]) expect((await ask('/blog/withdrawn')).status).toBe(status);
    await admin(`/api/cms/blog-posts/${id}`, 'PUT', { ...post, status: 'draft' });
    expect((await ask('/blog/withdrawn')).status).toBe(404);
  });

  test('returns the post while it is published, in any script, and redirects capital letters', async () => {
    const draft = await publish({ status: 'draft', slug: 'not-yet' });
    expect((await ask('/blog/not-yet')).status).toBe(404);
    expect((await ask('/blog/no-such-post')).status).toBe(404);
    await admin(`/api/cms/blog-posts/${draft.id}`, 'PUT', { ...draft, status: 'published' });
    expect((await ask('/blog/not-yet')).status).toBe(200);
    await admin(`/api/cms/blog-posts/${draft.id}`, 'DELETE');
    const gone = await ask('/blog/not-yet');
    expect(gone.status).toBe(404);
    expect(await gone.text()).toContain('404 Page Not Found');
    expect(gone.headers.get('cache-control')).toBe('private, no-store');
    await publish({ slug: 'crème-brûlée' });
    expect((await ask('/blog/cr%C3%A8me-br%C3%BBl%C3%A9e')).status).toBe(200);
    const shouted = await ask('/blog/CR%C3%88ME-BR%C3%9BL%C3%89E');
    expect(shouted.headers.get('location')).toBe('/blog/cr%C3%A8me-br%C3%BBl%C3%A9e');
  });

  test('follows the post’s slug back and forth, and never redirects in a circle', async () => {
    const post = await publish({ slug: 'first-name' });
    const move = (slug: string) =>
      admin(`/api/cms/blog-posts/${post.id}`, 'PUT', { ...post, slug, revision: undefined });
    const leadsTo = async (slug: string) => {
      const { status, headers } = await ask(`/blog/${slug}`);
      return [status, headers.get('location')];
    };
    await move('second-name');
    await move('third-name');
    expect(await leadsTo('first-name')).toEqual([301, '/blog/third-name']);
    expect(await leadsTo('second-name')).toEqual([301, '/blog/third-name']);
    await move('first-name');
    expect(await leadsTo('first-name')).toEqual([200, null]);
    expect(await leadsTo('third-name')).toEqual([301, '/blog/first-name']);
    // If another post takes over an old path, the path stops redirecting and serves that post.
    await publish({ slug: 'third-name' });
    expect(await leadsTo('third-name')).toEqual([200, null]);
    await admin(`/api/cms/blog-posts/${post.id}`, 'DELETE');
    expect(await leadsTo('second-name')).toEqual([404, null]);
  });

  test('describes an article to search engines, and is cached until a post changes', async () => {
    await publish({
      slug: 'described',
      title: 'Described </script>',
      featuredImage: 'https://pictures.example/a.png',
      excerpt: '',
      content: '<p>In <a href="/blog">our <strong>Net</strong>Suite blog</a>, we say more.</p>',
    });
    const response = await ask('/blog/described');
    expect(response.headers.get('netlify-cache-tag')).toBe('posts');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    // Other sites show the feed and the pictures of a shared link or a search result.
    for (const path of ['/rss.xml', '/favicon.ico', '/apple-touch-icon.png', '/social/home.png']) {
      expect((await ask(path)).headers.get('cross-origin-resource-policy'), path).toBe('cross-origin');
    }
    expect(response.headers.get('content-security-policy')).toMatch(/img-src [^;]*https:/);
    const html = await response.text();
    expect(html).toContain('<meta name="description" content="In our NetSuite blog, we say more."');
    const graph = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '')['@graph'];
    expect(graph[0]).toMatchObject({
      '@type': 'Article',
      headline: 'Described </script>',
      image: 'https://pictures.example/a.png',
      datePublished: expect.stringMatching(/Z$/),
    });
    expect(html).toContain(`<link rel="canonical" href="${new URL('/blog/described', firm.url).href}"`);
    expect(html).toContain('<meta property="og:image" content="https://pictures.example/a.png"');
    const pictures = { excerpt: '', content: '<p><img src="/a.png" alt=""></p>', featuredImage: '/drawing.svg' };
    await publish({ slug: 'pictures-only', title: 'Two pictures', ...pictures });
    const ofPictures = await (await ask('/blog/pictures-only')).text();
    expect(ofPictures).toContain('<meta name="description" content="Two pictures"');
    // Social networks show no SVG.
    expect(ofPictures).toContain(`<meta property="og:image" content="${new URL('/social/blog.png', firm.url).href}"`);
  });
});

describe('The preview of a draft', () => {
  test('is only for its author, and for others through a link that shows nothing else', async () => {
    const draft = { title: 'Half done', content: '<p>Words.</p>', featuredImage: 'nonsense' };
    await admin('/api/cms/unsaved/post/k1', 'PUT', { text: draft });
    await admin('/api/cms/unsaved/post/k2', 'PUT', { text: { title: 'Not yet', content: '<p>Words.</p>' } });
    const stranger = await ask('/blog/preview/k1');
    const signIn = '/admin/sign-in?returnTo=%2Fblog%2Fpreview%2Fk1';
    expect([stranger.status, stranger.headers.get('location')]).toEqual([302, signIn]);
    const { path } = await admin('/api/cms/blog-posts/k1/links', 'POST');
    const seen = await ask(path);
    expect(await seen.text()).toContain('Half done');
    expect(seen.headers.get('cache-control')).toBe('private, no-store');
    // The URL contains a token, which must not reach other sites.
    expect(seen.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect((await ask(path.slice(0, -1))).status).toBe(404);
    expect((await ask('/blog/preview/made.up.token')).status).toBe(404);
  });

  test('shows the saved post through the same link after the draft is saved, until the link is revoked', async () => {
    const saved = { slug: 'shared', title: 'Saved words', content: '<p>Words.</p>' };
    const headers = { cookie: cookieOf(session), origin: site.url, 'idempotency-key': 'new-1' };
    const [unsaved, posts] = ['/api/cms/unsaved/post', '/api/cms/blog-posts'];
    await admin(`${unsaved}/new-1`, 'PUT', { text: { title: 'Typed words', content: '<p>Words.</p>' } });
    const { path } = await admin(`${posts}/new-1/links`, 'POST');
    const shown = async () => {
      const response = await ask(path);
      const title = /<h1[^>]*>(.*?)<\/h1>/s.exec(await response.text())?.[1]?.trim();
      return { status: response.status, title };
    };
    expect(await shown()).toEqual({ status: 200, title: 'Typed words' });

    const created = await ask('/api/cms/blog-posts', sendJson(saved, headers));
    const post = (await created.json()).data;
    await admin(`${unsaved}/new-1`, 'DELETE');
    expect(await shown()).toEqual({ status: 200, title: 'Saved words' });
    const { headers: sent } = await ask(path);
    expect(sent.get('cache-control')).toBe('private, no-store');
    expect(sent.get('x-robots-tag')).toBe('noindex');

    await admin(`${unsaved}/${post.id}`, 'PUT', { text: { title: 'Typed again', content: '<p>Words.</p>' } });
    expect(await shown()).toEqual({ status: 200, title: 'Typed again' });
    // The editor opens this address while its text equals the saved post.
    const unchanged = await ask(`/blog/preview/${post.id}?saved`, { headers: { cookie: cookieOf(session) } });
    expect(await unchanged.text()).toContain('Saved words');
    const published = { ...saved, title: 'Published words', status: 'published' };
    await admin(`/api/cms/blog-posts/${post.id}`, 'PUT', published);
    await admin(`${unsaved}/${post.id}`, 'DELETE');
    expect(await shown()).toEqual({ status: 200, title: 'Published words' });

    await admin(`/api/cms/blog-posts/${post.id}`, 'DELETE');
    expect((await shown()).status).toBe(404);
    await admin(`/api/cms/blog-posts/${post.id}/restore`, 'POST');
    expect((await shown()).status).toBe(200);
    const [link] = await admin(`${posts}/${post.id}/links`, 'GET');
    await admin(`${posts}/${post.id}/links/${link.id}`, 'DELETE');
    expect((await shown()).status).toBe(404);
  });
});

test('The feed and the sitemap contain a full post as soon as it is published, and not after it is unpublished', async () => {
  const post = await publish({
    slug: 'in-the-feed',
    title: 'In the feed & more',
    excerpt: '',
    content: `<p>See <a href="/contact">us</a>.${' Ledgers'.repeat(60)}</p>`,
  });
  const rss = await (await ask('/rss.xml')).text();
  expect(rss).toContain('<title>In the feed &amp; more</title>');
  expect(rss).toContain(`&lt;a href=&quot;${firm.url}/contact&quot;&gt;us&lt;/a&gt;`);
  expect(rss).toMatch(/<description>See us\.( Ledgers)+…<\/description>/);
  expect(rss).toContain('/resources/netsuite-mcp-guide');
  expect(rss).toContain(`<pubDate>${new Date(post.firstPublishedAt).toUTCString()}</pubDate>`);
  expect(rss.match(/<link>[^<]*\/resources\//g)?.length).toBeGreaterThan(5);
  expect(rss).not.toMatch(/&lt;(script|style|svg)|src=&quot;\/|href=&quot;[/#]|text-alert/);
  expect(await (await ask('/sitemap-posts-1.xml')).text()).toContain(
    `<loc>${firm.url}/blog/in-the-feed</loc><lastmod>`,
  );
  expect(await (await ask('/sitemap-posts.xml')).text()).toContain(`<loc>${firm.url}/sitemap-posts-1.xml</loc>`);
  expect(await (await ask('/sitemap-index.xml')).text()).toContain('/sitemap-posts-1.xml');
  expect((await ask('/sitemap-posts-2.xml')).status).toBe(404);
  expect((await ask('/sitemap-posts-x.xml')).status).toBe(404);
  const etag = (await ask('/rss.xml')).headers.get('etag') ?? '';
  expect((await ask('/rss.xml', { headers: { 'if-none-match': etag } })).status).toBe(304);
  await admin(`/api/cms/blog-posts/${post.id}`, 'DELETE');
  for (const address of ['/rss.xml', '/sitemap-posts-1.xml']) {
    expect(await (await ask(address)).text()).not.toContain('in-the-feed');
  }
});
