import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { hostEnvironment, hostOptions } from '../scripts/host-environment.mjs';
import { longestBlock, probeOptions } from '../tests/support/host-process.ts';
import { startMailServer } from '../tests/support/mail-server.ts';
import type { Orders, Report } from './hostile/attackers.ts';
import { type Answer, Client } from './hostile/client.ts';

/**
 * Measures an ordinary visitor and an admin while 41 hostile clients attack the site. Each client has its own IP
 * address, and rate limits are on.
 *
 * node bench/pressure.ts                      attacks this checkout for two minutes
 * node bench/pressure.ts --root ../other      uses another checkout, which must be installed and built
 * node bench/pressure.ts --seconds 20         runs for 20 seconds
 * node bench/pressure.ts --only "feed|form"   runs only attacks whose name matches the pattern
 * node bench/pressure.ts --calm               runs without attacks, for comparison
 */
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    root: { type: 'string', default: '.' },
    seconds: { type: 'string', default: '120' },
    only: { type: 'string' },
    calm: { type: 'boolean', default: false },
  },
});
const root = resolve(values.root);
const seconds = Number(values.seconds);

const limits = {
  'pages, p95 ms': 100,
  'inquiry, p95 ms': 300,
  'acknowledged inquiries lost': 0,
  'resident memory, MB': 400,
  'disk growth, MB': 200,
  'longest stall, ms': 100,
  'longest work of the main thread, ms': 100,
} as const;

const admin = { email: 'owner@firm.example', password: 'a long sentence about rivers' };
const dataDirectory = await mkdtemp(join(tmpdir(), 'pressure-'));
const mail = await startMailServer();
const environment = {
  ...hostEnvironment(process.env),
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: dataDirectory,
  CONTEXT: 'dev',
  SITE_URL: '',
  RATE_LIMITS: 'on',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  SMTP_URL: mail.url,
  MAIL_FROM: 'no-reply@firm.example',
  CONTACT_EMAIL: 'sales@firm.example',
};

await run('host/seed/command.ts', '--posts', '3000', '--media', '12', '--inquiries', '2000', '--applications', '50');
// The first start creates the admin account. A site in use has an account, so only the second start is measured.
await stop((await startHost()).process);
const host = await startHost();
const ended: { how: number | string | null } = { how: null };
host.process.once('exit', (code, signal) => (ended.how = signal ?? code));

const visitor = new Client(host.url, '127.0.0.2');
const owner = new Client(host.url, '127.0.0.3');
const token = await signIn();
const asOwner = { authorization: `Bearer ${token}` };
const largeFile = await upload('big.pdf', 'application/pdf', aLargePdf(10_000_000));
const picture = await upload('photo.png', 'image/png', await aLargePicture());
const post = await firstPost();
const pages = ['/', '/contact', '/services/implementation', '/resources', post, '/blog', '/join-team'];

const sizeBefore = await sizeOf(dataDirectory);
const measured = new Map<string, number[]>();
const failures: string[] = [];
const acknowledged: string[] = [];
let peakKb = 0;
await longestBlock(host.process);

const until = Date.now() + seconds * 1_000;
const attackers = values.calm ? null : attack();
await Promise.all([browse(), inquire(), administer(), watchMemory()]);
const report = await attackers;
const longest = await longestBlock(host.process);
await sleep(3_000);
const growthMb = ((await sizeOf(dataDirectory)) - sizeBefore) / 1e6;
const lost = await lostInquiries();

console.log(
  `\n${values.calm ? 'No attack' : `${Object.keys(report ?? {}).length} hostile clients`}, ${seconds} s, ${root}\n`,
);
if (report) console.table(Object.entries(report).map(([name, tally]) => ({ attack: name, answers: textOf(tally) })));
console.table([...measured].sort().map(([what, times]) => ({ what, count: times.length, ...quantiles(times) })));
if (failures.length > 0) console.log(`${failures.length} requests failed:\n${summary(failures)}`);
const pageTimes = [...measured].filter(([what]) => what.startsWith('page')).flatMap(([, times]) => times);
const results: Record<keyof typeof limits, number> = {
  'pages, p95 ms': quantiles(pageTimes).p95,
  'inquiry, p95 ms': quantiles(measured.get('inquiry') ?? []).p95,
  'acknowledged inquiries lost': lost,
  'resident memory, MB': Math.round(peakKb / 1e3),
  'disk growth, MB': Math.round(growthMb),
  'longest stall, ms': Math.round(longest.stallMs),
  'longest work of the main thread, ms': Math.round(longest.workMs),
};
const goals = Object.entries(results).map(([what, value]) => {
  const limit = limits[what as keyof typeof limits];
  return { what, value, limit, met: value <= limit };
});
console.table(goals);
// Read before the host is stopped below.
const stopped = ended.how;
if (stopped !== null) console.log(`The host stopped unexpectedly: ${stopped}`);

visitor.close();
owner.close();
await stop(host.process);
await mail.close();
await rm(dataDirectory, { recursive: true, force: true });
process.exit(failures.length > 0 || stopped !== null || goals.some(({ met }) => !met) ? 1 : 0);

/** Reads up to ten pages a second, like a person with several tabs. */
async function browse(): Promise<void> {
  for (let n = 0; Date.now() < until; n += 1) {
    const page = pages[n % pages.length] ?? '/';
    const headers = { accept: 'text/html', 'accept-encoding': 'br, gzip' };
    await measure(`page ${page === post ? '/blog/{slug}' : page}`, 200, () => visitor.ask('GET', page, { headers }));
    await sleep(100);
  }
}

/** Sends inquiries within the limit of 20 a minute, and remembers each acknowledged inquiry. */
async function inquire(): Promise<void> {
  for (let n = 0; Date.now() < until; n += 1) {
    const inquiry = {
      fullName: 'Morgan Ellis',
      email: `morgan.ellis+${n}@ellisfoods.example`,
      company: `Ellis Foods ${n}`,
      serviceInterest: 'implementation',
      message: 'We would like to move from spreadsheets to NetSuite by next spring.',
    };
    const answer = await measure('inquiry', 201, () => visitor.json('POST', '/api/contact', inquiry));
    if (answer) acknowledged.push((JSON.parse(answer.body) as { id: string }).id);
    await sleep(3_300);
  }
}

/** Works like an admin: lists and searches the inbox, and reads the media library. */
async function administer(): Promise<void> {
  const lists = [
    '/api/contact/submissions',
    '/api/contact/submissions?q=warehouse',
    '/api/cms/media',
    '/api/cms/blog-posts',
  ];
  for (let n = 0; Date.now() < until; n += 1) {
    const path = lists[n % lists.length] ?? '';
    await measure('admin list', 200, () => owner.ask('GET', path, { headers: asOwner }));
    await sleep(500);
  }
}

async function measure(what: string, expected: number, ask: () => Promise<Answer>): Promise<Answer | null> {
  const began = performance.now();
  const answer = await ask().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  const times = measured.get(what) ?? [];
  measured.set(what, [...times, performance.now() - began]);
  if (answer instanceof Error) failures.push(`${what}: ${answer.message}`);
  else if (answer.status !== expected) failures.push(`${what}: ${answer.status} ${answer.body.slice(0, 80)}`);
  else return answer;
  return null;
}

function attack(): Promise<Report> {
  // Real attackers do not use the server's processor. These attackers do, so they run at the lowest priority.
  const child = fork(join(import.meta.dirname, 'hostile/attackers.ts'), {
    execPath: 'nice',
    execArgv: ['-n', '19', process.execPath],
  });
  const orders: Orders = {
    url: host.url,
    until,
    target: { pages, largeFile, picture, post, adminEmail: admin.email },
    only: values.only ?? '',
  };
  child.send(orders);
  return new Promise((done, reject) => {
    child.once('message', (message) => done(message as Report));
    child.once('exit', (code) => reject(new Error(`The attackers ended with code ${code}.`)));
  });
}

async function watchMemory(): Promise<void> {
  while (Date.now() < until) {
    const status = await readFile(`/proc/${host.process.pid}/status`, 'utf8').catch(() => '');
    peakKb = Math.max(peakKb, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
    await sleep(200);
  }
}

async function lostInquiries(): Promise<number> {
  // While the database is unavailable, the host stores inquiries in files. A task moves them into the database every
  // minute, so this function waits up to 90 s.
  const deadline = Date.now() + 90_000;
  for (;;) {
    const stored = new Set<string>();
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/api/contact/submissions?limit=200${cursor && `&cursor=${cursor}`}`;
      const answer = await owner.ask('GET', path, { headers: asOwner, timeoutMs: 30_000 }).catch(() => null);
      if (answer?.status !== 200) {
        await sleep(1_000);
        if (Date.now() > deadline) return acknowledged.length;
        continue;
      }
      const page = JSON.parse(answer.body) as { data: { id: string }[]; nextCursor: string | null };
      for (const { id } of page.data) stored.add(id);
      cursor = page.nextCursor;
    }
    const missing = acknowledged.filter((id) => !stored.has(id)).length;
    if (missing === 0 || Date.now() > deadline) return missing;
    await sleep(5_000);
  }
}

async function startHost() {
  const child = spawn(process.execPath, [...hostOptions, ...probeOptions, join(root, 'host/main.ts')], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const { stdout } = child;
  if (!stdout) throw new Error('The host has no output to read.');
  const url = await new Promise<string>((done, reject) => {
    child.once('exit', (code) => reject(new Error(`The host ended with code ${code}.`)));
    createInterface(stdout).on('line', (line) => {
      const ready = /^Ready: (http\S+)/.exec(line)?.[1];
      if (ready) done(ready.replace('localhost', '127.0.0.1'));
    });
  });
  return { process: child, url };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await Promise.race([new Promise((done) => child.once('exit', done)), sleep(15_000)]);
  child.kill('SIGKILL');
}

async function run(file: string, ...words: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, file), ...words], { cwd: root, env: environment, stdio: 'ignore' });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  if (code !== 0) throw new Error(`${file} ended with code ${code}.`);
}

async function signIn(): Promise<string> {
  const answer = await owner.json('POST', '/api/login', admin);
  if (answer.status !== 200) throw new Error(`Sign-in answered ${answer.status}.`);
  return (JSON.parse(answer.body) as { token: string }).token;
}

/** Uploads a file to the media library in parts. @returns the file's public path. */
async function upload(name: string, type: string, bytes: Buffer): Promise<string> {
  const opened = await owner.json(
    'POST',
    '/api/uploads',
    { name, type, size: bytes.length, purpose: 'media' },
    asOwner,
  );
  const { id, partSize } = JSON.parse(opened.body) as { id: string; partSize: number };
  for (let part = 1; (part - 1) * partSize < bytes.length; part += 1) {
    const headers = { ...asOwner, 'content-type': 'application/octet-stream' };
    const body = bytes.subarray((part - 1) * partSize, part * partSize);
    await owner.ask('PUT', `/api/uploads/${id}/parts/${part}`, { headers, body });
  }
  const added = await owner.json('POST', '/api/cms/media', { uploadId: id }, asOwner);
  if (added.status !== 201) throw new Error(`${name} was refused: ${added.status} ${added.body.slice(0, 200)}`);
  return (JSON.parse(added.body) as { data: { url: string } }).data.url
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/\?.*$/, '');
}

async function firstPost(): Promise<string> {
  const answer = await visitor.ask('GET', '/api/cms/blog-posts/published');
  const [first] = (JSON.parse(answer.body) as { data: { slug: string }[] }).data;
  return `/blog/${first?.slug}`;
}

function aLargePdf(bytes: number): Buffer {
  const pdf = Buffer.alloc(bytes, ' ');
  pdf.write('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n');
  pdf.write('trailer<</Root 1 0 R>>\n%%EOF\n', bytes - 40);
  return pdf;
}

/** Generates an image of 20 megapixels, the size of a phone photo. */
async function aLargePicture(): Promise<Buffer> {
  return await sharp({ create: { width: 5_000, height: 4_000, channels: 3, background: '#0b4f36' } })
    .png()
    .toBuffer();
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}

function quantiles(times: readonly number[]): { p50: number; p95: number; max: number } {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

function textOf(tally: Readonly<Record<string, number>>): string {
  return Object.entries(tally)
    .map(([kind, count]) => `${count} x ${kind}`)
    .join(', ');
}

function summary(lines: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts]
    .slice(0, 20)
    .map(([line, count]) => `  ${count} x ${line}`)
    .join('\n');
}
