import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, flood, hold } from './client.ts';

/** What attackers know about the site: its public paths and the email address of an admin. */
export interface Target {
  readonly pages: readonly string[];
  readonly largeFile: string;
  readonly picture: string;
  readonly post: string;
  readonly adminEmail: string;
}

type Attack = (client: Client, until: number, target: Target) => Promise<unknown>;

/** Writes some letters of a path as percent escapes. The bits of `n` select the letters. */
function respelled(path: string, n: number): string {
  return [...path]
    .map((letter, at) =>
      (n >> (at % 20)) & 1 && /[a-z]/.test(letter) ? `%${letter.charCodeAt(0).toString(16)}` : letter,
    )
    .join('');
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const inquiry = (more: object = {}) => ({
  fullName: 'Dana Whitfield',
  email: `dana-${randomUUID()}@whitfield.example`,
  company: 'Whitfield Foods',
  serviceInterest: 'implementation',
  message: 'We run three warehouses and need help with an implementation that stalled.',
  ...more,
});

/** The attacks, one for each client. Each attack repeats until the bench ends. */
export const attacks: Readonly<Record<string, Attack>> = {
  'ranges of a large file, unread': (client, until, { largeFile }) =>
    hold(client, until, 400, () => client.head('GET', largeFile, { range: 'bytes=0-0' }).repeat(4)),
  'one byte of a large file, again and again': (client, until, { largeFile }) =>
    flood(until, 16, (n) => client.ask('GET', largeFile, { headers: { range: `bytes=${n}-${n}` } })),
  'a large file that is never read': (client, until, { largeFile }) =>
    hold(client, until, 150, () => client.head('GET', largeFile)),
  'a large file read at 1 KB a second': async (client, until, { largeFile }) => {
    const sockets = Array.from({ length: 100 }, () => client.open(client.head('GET', largeFile)));
    while (Date.now() < until) {
      for (const socket of sockets) socket.read(1024);
      await sleep(1_000);
    }
  },
  'the feed, unread': (client, until) => hold(client, until, 400, () => client.head('GET', '/rss.xml')),
  'pages, unread and pipelined': (client, until) =>
    hold(client, until, 100, () => client.head('GET', '/resources').repeat(50)),
  'spellings of a page': (client, until) =>
    flood(until, 8, (n) => client.ask('HEAD', respelled('/resources/netsuite-implementation-guide', n))),
  'spellings of a function': (client, until) =>
    flood(until, 8, (n) => client.ask('GET', respelled('/api/cms/blog-posts/published', n))),
  'spellings of a script': (client, until) =>
    flood(until, 8, (n) => client.ask('GET', `${respelled('/_astro/none', n)}.js`)),
  'addresses that are not valid': (client, until) => flood(until, 8, (n) => client.ask('GET', `/blog/%ff${n}`)),
  'addresses that do not exist': (client, until) => flood(until, 8, () => client.ask('GET', `/${randomUUID()}`)),
  'queries on the sitemap': (client, until) =>
    flood(until, 10, () => client.ask('GET', `/sitemap-posts.xml?x=${randomUUID()}`)),
  'queries on the feed': (client, until) => flood(until, 10, () => client.ask('GET', `/rss.xml?x=${randomUUID()}`)),
  'queries on the JSON feed': (client, until) =>
    flood(until, 10, () => client.ask('GET', `/feed.json?x=${randomUUID()}`)),
  'queries on a post': (client, until, { post }) =>
    flood(until, 10, () => client.ask('GET', `${post}?x=${randomUUID()}`)),
  'posts that do not exist': (client, until) => flood(until, 10, () => client.ask('GET', `/blog/${randomUUID()}`)),
  'queries on the public API': (client, until) =>
    flood(until, 10, () => client.ask('GET', `/api/cms/blog-posts/published?x=${randomUUID()}`)),
  'health, again and again': (client, until) => flood(until, 10, () => client.ask('GET', '/api/health')),
  'pictures under made-up versions': (client, until, { picture }) =>
    flood(until, 50, (n) =>
      client.ask('GET', `/.netlify/images?w=1600&url=${encodeURIComponent(`${picture}?v=${n}-${randomUUID()}`)}`),
    ),
  'pictures in every size and format': (client, until, { picture }) =>
    flood(until, 20, (n) => {
      const width = [400, 800, 1200, 1600][n % 4];
      const format = ['avif', 'webp', 'jpg', 'png'][(n >> 2) % 4];
      return client.ask('GET', `/.netlify/images?w=${width}&fm=${format}&url=${encodeURIComponent(picture)}&z=${n}`);
    }),
  'a multipart body of empty parts': (client, until) =>
    flood(until, 2, () =>
      client.ask('POST', '/api/career-application', {
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body: '--b\r\n\r\n'.repeat(640_000),
      }),
    ),
  'a multipart body of many fields': (client, until) =>
    flood(until, 2, () =>
      client.ask('POST', '/api/career-application', {
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body: '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(70_000),
      }),
    ),
  'a message of combining marks': (client, until) =>
    flood(until, 2, () =>
      client.json('POST', '/api/contact', inquiry({ message: `a${'\u0315\u0300'.repeat(55_000)}` })),
    ),
  'a form of 100,000 fields': (client, until) =>
    flood(until, 2, () => client.ask('POST', '/api/contact', { headers: form, body: 'a=1&'.repeat(60_000) })),
  'a message that makes patterns slow': (client, until) =>
    flood(until, 2, () => client.json('POST', '/api/contact', inquiry({ message: 'a-'.repeat(4_900) }))),
  'deep JSON': (client, until) =>
    flood(until, 2, () =>
      client.ask('POST', '/api/contact', {
        headers: { 'content-type': 'application/json' },
        body: `{"message":${'['.repeat(120_000)}${']'.repeat(120_000)}}`,
      }),
    ),
  'uploads that fill the disk': (client, until) => {
    const part = Buffer.alloc(4_000_000, 'x');
    return flood(until, 4, async () => {
      const upload = { name: 'resume.pdf', size: 5_242_880, type: 'application/pdf', purpose: 'resume' };
      const opened = await client.json('POST', '/api/uploads', upload);
      if (opened.status !== 201) return await sleep(50);
      const { id } = JSON.parse(opened.body) as { id: string };
      const headers = { 'content-type': 'application/octet-stream' };
      await client.ask('PUT', `/api/uploads/${id}/parts/1`, { headers, body: part });
      return await client.ask('PUT', `/api/uploads/${id}/parts/2`, { headers, body: part.subarray(0, 1_242_880) });
    });
  },
  'uploads that are opened and left': (client, until) =>
    flood(until, 8, () =>
      client.json('POST', '/api/uploads', { name: 'a.pdf', size: 5_000_000, type: '', purpose: 'resume' }),
    ),
  'drafts of forms': (client, until) =>
    flood(until, 4, () =>
      client.ask('POST', '/api/contact', {
        headers: { ...form, accept: 'text/html' },
        body: `fullName=x&message=${'y'.repeat(60_000)}&company=${'z'.repeat(60_000)}`,
      }),
    ),
  'bodies that stall at an unknown address': (client, until) =>
    hold(
      client,
      until,
      79,
      () => client.head('POST', '/api/nope', { 'content-length': '4400000' }) + 'x'.repeat(3_300_000),
    ),
  'bodies that stall at a form': (client, until) =>
    hold(
      client,
      until,
      100,
      () =>
        client.head('POST', '/api/career-application', {
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': '4400000',
        }) + 'x'.repeat(500_000),
    ),
  'headers that never end': (client, until) =>
    hold(client, until, 400, () => 'GET / HTTP/1.1\r\nhost: site\r\nx-one: 1\r\n'),
  'an unknown expectation, pipelined': (client, until) =>
    hold(client, until, 8, () => client.head('GET', '/', { expect: 'nope' }).repeat(1_000)),
  'connections that send nothing': (client, until) => hold(client, until, 2_000, () => ''),
  'wrong passwords for the owner': (client, until, { adminEmail }) =>
    flood(until, 10, (n) => client.json('POST', '/api/login', { email: adminEmail, password: `wrong password ${n}` })),
  'wrong passwords for everyone': (client, until) =>
    flood(until, 10, (n) =>
      client.json('POST', '/api/login', { email: `a${n}@firm.example`, password: 'a password of mine' }),
    ),
  'long passwords': (client, until, { adminEmail }) =>
    flood(until, 4, () => client.json('POST', '/api/login', { email: adminEmail, password: 'x'.repeat(200_000) })),
  'acknowledgements to a stranger': (client, until) =>
    flood(until, 2, (n) =>
      client.json('POST', '/api/contact', inquiry({ email: 'stranger@victim.example', company: `Company ${n}` })),
    ),
  'inquiries as fast as the limit allows': (client, until) =>
    flood(until, 8, () => client.json('POST', '/api/contact', inquiry())),
  'reports of violated policies': (client, until) =>
    flood(until, 10, () =>
      client.ask('POST', '/api/csp', {
        headers: { 'content-type': 'application/csp-report' },
        body: JSON.stringify({ 'csp-report': { 'document-uri': `/${randomUUID()}`, 'blocked-uri': randomUUID() } }),
      }),
    ),
  'guesses at admin addresses': (client, until, { pages }) =>
    flood(until, 10, (n) =>
      client.ask(
        'GET',
        n % 2 ? `/api/contact/submissions?q=${'a '.repeat(500)}` : `${pages[n % pages.length]}/../admin`,
        {
          headers: { cookie: `session=${'x'.repeat(4_000)}`, authorization: `Bearer ${'y'.repeat(4_000)}` },
        },
      ),
    ),
};
