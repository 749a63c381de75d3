import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { anInquiry } from '../../tests/support/samples/inquiries.ts';
import { Client, flood, hold, type Tally } from './client.ts';

/** What attackers know about the site: its public paths and the email address of an admin. */
interface Target {
  readonly pages: readonly string[];
  readonly largeFile: string;
  readonly picture: string;
  readonly post: string;
  readonly adminEmail: string;
}

/** The message with which bench/pressure.ts starts the attacks. `until` is the end time, in milliseconds since 1970. */
export interface Orders {
  readonly url: string;
  readonly until: number;
  readonly target: Target;
  /** Runs only attacks whose name matches this pattern. An empty pattern runs all. */
  readonly only: string;
}

/** The message with the results, which bench/pressure.ts gets after the attacks: the tally of each attack, by name. */
export type Report = Readonly<Record<string, Tally>>;

type Attack = (client: Client, until: number, target: Target) => Promise<unknown>;

/** Writes some letters of a path as percent escapes. The bits of `n` select the letters. */
function respelled(path: string, n: number): string {
  return [...path]
    .map((letter, at) =>
      (n >> (at % 20)) & 1 && /[a-z]/.test(letter) ? `%${letter.charCodeAt(0).toString(16)}` : letter,
    )
    .join('');
}

const inquiry = (changes: Parameters<typeof anInquiry>[0] = {}) =>
  anInquiry({ email: `dana-${randomUUID()}@whitfield.example`, ...changes });

const asks =
  (atOnce: number, path: (n: number, target: Target) => string, method = 'GET'): Attack =>
  (client, until, target) =>
    flood(until, atOnce, (n) => client.ask(method, path(n, target)));

const sends =
  (atOnce: number, path: string, type: string, body: string): Attack =>
  (client, until) =>
    flood(until, atOnce, () => client.ask('POST', path, { headers: { 'content-type': type }, body }));

const sendsJson =
  (atOnce: number, path: string, value: (n: number, target: Target) => object): Attack =>
  (client, until, target) =>
    flood(until, atOnce, (n) => client.json('POST', path, value(n, target)));

/** Sends the start of an upload on many connections, and then nothing. */
const stallsAt =
  (most: number, path: string, type: string, bytes: number): Attack =>
  (client, until) => {
    const head = client.head('POST', path, { 'content-type': type, 'content-length': '4400000' });
    return hold(client, until, most, () => head + 'x'.repeat(bytes));
  };

const form = 'application/x-www-form-urlencoded';
const parts = 'multipart/form-data; boundary=b';
const again = (path: string) => `${path}?x=${randomUUID()}`;

/** The attacks, one for each client. Each attack repeats until the bench ends. */
const attacks: Readonly<Record<string, Attack>> = {
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
  'spellings of a page': asks(8, (n) => respelled('/resources/netsuite-implementation-guide', n), 'HEAD'),
  'spellings of a function': asks(8, (n) => respelled('/api/cms/blog-posts/published', n)),
  'spellings of a script': asks(8, (n) => `${respelled('/_astro/none', n)}.js`),
  'addresses that are not valid': asks(8, (n) => `/blog/%ff${n}`),
  'addresses that do not exist': asks(8, () => `/${randomUUID()}`),
  'queries on the sitemap': asks(10, () => again('/sitemap-posts.xml')),
  'queries on the feed': asks(10, () => again('/rss.xml')),
  'queries on a post': asks(10, (_, { post }) => again(post)),
  'posts that do not exist': asks(10, () => `/blog/${randomUUID()}`),
  'queries on the public API': asks(10, () => again('/api/cms/blog-posts/published')),
  'health, again and again': asks(10, () => '/api/health'),
  'pictures under made-up versions': asks(
    50,
    (n, { picture }) => `/.netlify/images?w=1600&url=${encodeURIComponent(`${picture}?v=${n}-${randomUUID()}`)}`,
  ),
  'pictures in every size and format': asks(20, (n, { picture }) => {
    const width = [400, 800, 1200, 1600][n % 4];
    const format = ['avif', 'webp', 'jpg', 'png'][(n >> 2) % 4];
    return `/.netlify/images?w=${width}&fm=${format}&url=${encodeURIComponent(picture)}&z=${n}`;
  }),
  'a multipart body of empty parts': sends(2, '/api/career-application', parts, '--b\r\n\r\n'.repeat(640_000)),
  'a multipart body of many fields': sends(
    2,
    '/api/career-application',
    parts,
    '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(70_000),
  ),
  'a message of combining marks': sendsJson(2, '/api/contact', () =>
    inquiry({ message: `a${'\u0315\u0300'.repeat(55_000)}` }),
  ),
  'a form of 60,000 fields': sends(2, '/api/contact', form, 'a=1&'.repeat(60_000)),
  'a message that makes patterns slow': sendsJson(2, '/api/contact', () => inquiry({ message: 'a-'.repeat(4_900) })),
  'deep JSON': sends(2, '/api/contact', 'application/json', `{"message":${'['.repeat(120_000)}${']'.repeat(120_000)}}`),
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
  'uploads that are opened and left': sendsJson(8, '/api/uploads', () => ({
    name: 'a.pdf',
    size: 5_000_000,
    type: '',
    purpose: 'resume',
  })),
  'drafts of forms': (client, until) =>
    flood(until, 4, () =>
      client.ask('POST', '/api/contact', {
        headers: { 'content-type': form, accept: 'text/html' },
        body: `fullName=x&message=${'y'.repeat(60_000)}&company=${'z'.repeat(60_000)}`,
      }),
    ),
  'bodies that stall at an unknown address': stallsAt(79, '/api/nope', 'application/octet-stream', 3_300_000),
  'bodies that stall at a form': stallsAt(100, '/api/career-application', parts, 500_000),
  'headers that never end': (client, until) =>
    hold(client, until, 400, () => 'GET / HTTP/1.1\r\nhost: site\r\nx-one: 1\r\n'),
  'an unknown expectation, pipelined': (client, until) =>
    hold(client, until, 8, () => client.head('GET', '/', { expect: 'nope' }).repeat(1_000)),
  'connections that send nothing': (client, until) => hold(client, until, 2_000, () => ''),
  'wrong passwords for the owner': sendsJson(10, '/api/login', (n, { adminEmail }) => ({
    email: adminEmail,
    password: `wrong password ${n}`,
  })),
  'wrong passwords for everyone': sendsJson(10, '/api/login', (n) => ({
    email: `a${n}@firm.example`,
    password: 'a password of mine',
  })),
  'long passwords': sendsJson(4, '/api/login', (_, { adminEmail }) => ({
    email: adminEmail,
    password: 'x'.repeat(200_000),
  })),
  'acknowledgments to a stranger': sendsJson(2, '/api/contact', (n) =>
    inquiry({ email: 'stranger@victim.example', company: `Company ${n}` }),
  ),
  'inquiries as fast as the limit allows': sendsJson(8, '/api/contact', () => inquiry()),
  'guesses at admin addresses': (client, until, { pages }) =>
    flood(until, 10, (n) =>
      client.ask(
        'GET',
        n % 2 ? `/api/contact/submissions?q=${'a '.repeat(500)}` : `${pages[n % pages.length]}/../admin`,
        { headers: { cookie: `session=${'x'.repeat(4_000)}`, authorization: `Bearer ${'y'.repeat(4_000)}` } },
      ),
    ),
};

process.once('message', (message) => {
  const { url, until, target, only } = message as Orders;
  const wanted = Object.entries(attacks).filter(([name]) => new RegExp(only).test(name));
  const clients = wanted.map(([name, attack], index) => ({
    name,
    attack,
    client: new Client(url, `127.0.1.${index + 1}`, 64),
  }));
  void Promise.allSettled(clients.map(({ attack, client }) => attack(client, until, target))).then(() => {
    const report: Report = Object.fromEntries(clients.map(({ name, client }) => [name, client.tally]));
    for (const { client } of clients) client.close();
    process.send?.(report, () => process.exit(0));
  });
});
