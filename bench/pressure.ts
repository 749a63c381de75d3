import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { withServices } from '../host/commands/command.ts';
import { fillSite } from '../host/commands/seed.ts';
import { receiveMedia } from '../netlify/server/media/receive.ts';
import { readEnv } from '../netlify/server/env.ts';
import { aPdf } from '../tests/support/samples/files.ts';
import { sessionToken, startHostProcess } from '../tests/support/host/host-process.ts';
import { anInquiry } from '../tests/support/samples/inquiries.ts';
import { startMailServer } from '../tests/support/servers/mail-server.ts';
import { startNginx } from '../tests/support/servers/nginx.ts';
import { owner, ownerVariables } from '../tests/support/samples/visitors.ts';
import type { Orders, Report } from './hostile/attacks.ts';
import { type Answer, Client } from './hostile/client.ts';

/**
 * Measures an ordinary visitor and an admin while hostile clients attack the site. Each client has its own IP address,
 * and rate limits are on. Without nginx, the host must only survive the attack.
 *
 * node bench/pressure.ts                      attacks this checkout for two minutes
 * node bench/pressure.ts --nginx              attacks through nginx with the example of docs/deploy
 * node bench/pressure.ts --seconds 20         runs for 20 seconds
 * node bench/pressure.ts --only "feed|form"   runs only attacks whose name matches the pattern
 */
const { values: options } = parseArgs({
  options: {
    nginx: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '120' },
    only: { type: 'string', default: '' },
  },
});
const directory = await mkdtemp(join(tmpdir(), 'pressure-'));
const dataDirectory = join(directory, 'data');
const mail = await startMailServer();
const variables = {
  HOST: '127.0.0.1',
  RATE_LIMITS: 'on',
  TRUSTED_PROXIES: '127.0.0.1',
  ...ownerVariables,
  SMTP_URL: mail.url,
  MAIL_FROM: 'no-reply@firm.example',
  CONTACT_EMAIL: 'sales@firm.example',
};
const env = readEnv({ DATA_DIR: dataDirectory });
await fillSite(env, { posts: 3_000, media: 12, inquiries: 2_000, applications: 50 });
// A PDF of 10 MB, and a picture of 20 megapixels, the size of a phone photo.
const photo = sharp({ create: { width: 5_000, height: 4_000, channels: 3, background: '#0b4f36' } }).png();
const [largeFile, picture] = await withServices(env, async ({ stores }) => {
  const publish = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const file = await receiveMedia({ name, bytes, type: '' });
    return (await stores.media.create(file, new Date().toISOString())).record.url;
  };
  return [
    await publish('big.pdf', aPdf(10_000_000)),
    await publish('photo.png', new Uint8Array(await photo.toBuffer())),
  ] as const;
});
// The first start creates the admin account. A site in use has an account, so only the second start is measured.
await (await startHostProcess(dataDirectory, variables)).kill();
const host = await startHostProcess(dataDirectory, variables, () => undefined);
const proxy = options.nginx ? await startNginx(directory, Number(new URL(host.url).port), { tls: false }) : null;
const url = proxy ? `http://127.0.0.1:${proxy.port}` : host.url.replace('localhost', '127.0.0.1');

const visitor = new Client(url, '127.0.0.2');
const admin = new Client(url, '127.0.0.3');
const asAdmin = { authorization: `Bearer ${await sessionToken({ url }, owner)}` };
const published = await visitor.ask('GET', '/api/cms/blog-posts/published');
const [first] = (JSON.parse(published.body) as { data: { slug: string }[] }).data;
const post = `/blog/${first?.slug}`;
const pages = ['/', '/contact', '/services/implementation', '/resources', post, '/blog', '/join-team'];

// A site in use has sent its pages before.
for (const page of pages) await visitor.ask('GET', page);

const measured = new Map<string, number[]>();
const failures = new Map<string, number>();
const acknowledged: string[] = [];
let peakKb = 0;
const until = Date.now() + Number(options.seconds) * 1_000;
// Real attackers do not use the server's processor. These attackers do, so they run at the lowest priority.
const attackers = fork(join(import.meta.dirname, 'hostile/attacks.ts'), {
  execPath: 'nice',
  execArgv: ['-n', '19', process.execPath],
});
const attacked = attack(attackers);
await Promise.all([
  // Ten pages a second, like a person with several tabs.
  repeat(100, async (n) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'br, gzip' };
    await measure('page', 200, () => visitor.ask('GET', pages[n % pages.length] ?? '/', { headers }));
  }),
  // Within the limit of 20 inquiries a minute.
  repeat(3_300, async (n) => {
    const inquiry = anInquiry({ email: `morgan.ellis+${n}@ellisfoods.example`, company: `Ellis Foods ${n}` });
    const answer = await measure('inquiry', 201, () => visitor.json('POST', '/api/contact', inquiry));
    if (answer) acknowledged.push((JSON.parse(answer.body) as { id: string }).id);
  }),
  repeat(500, async (n) => {
    const lists = ['contact/submissions', 'contact/submissions?q=warehouse', 'cms/media', 'cms/blog-posts'];
    await measure('admin list', 200, () => admin.ask('GET', `/api/${lists[n % 4]}`, { headers: asAdmin }));
  }),
  repeat(200, async () => {
    const status = await readFile(`/proc/${host.pid}/status`, 'utf8').catch(() => '');
    peakKb = Math.max(peakKb, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }),
]);
const report = await attacked;
const ended = performance.now();
while ((await visitor.ask('GET', '/').catch(() => null))?.status !== 200) await sleep(100);
const recoveryMs = performance.now() - ended;
const lost = await lostInquiries();

console.log(`\n${Object.keys(report).length} hostile clients${proxy ? ' through nginx' : ''}, ${options.seconds} s`);
const textOf = (counts: object) =>
  Object.entries(counts)
    .map(([kind, count]) => `${count} x ${kind}`)
    .join(', ');
console.table(Object.entries(report).map(([name, tally]) => ({ attack: name, answers: textOf(tally) })));
console.table([...measured].map(([what, times]) => ({ what, count: times.length, ...quantiles(times) })));
if (failures.size > 0) console.log(`Failed requests: ${textOf(Object.fromEntries(failures))}`);
const goals = [
  { what: 'acknowledged inquiries lost', value: lost, limit: 0 },
  { what: 'resident memory, MB', value: Math.round(peakKb / 1e3), limit: proxy ? 400 : 512 },
  { what: 'next page after the attack, ms', value: Math.round(recoveryMs), limit: 10_000 },
  ...(proxy
    ? [
        { what: 'page, p95 ms', value: quantiles(measured.get('page') ?? []).p95, limit: 100 },
        { what: 'inquiry, p95 ms', value: quantiles(measured.get('inquiry') ?? []).p95, limit: 400 },
        { what: 'failed requests', value: failures.size, limit: 0 },
      ]
    : []),
].map((goal) => ({ ...goal, met: goal.value <= goal.limit }));
console.table(goals);

visitor.close();
admin.close();
await proxy?.stop();
await host.stop();
await mail.close();
await rm(directory, { recursive: true, force: true });
process.exit(goals.every(({ met }) => met) ? 0 : 1);

async function repeat(everyMs: number, work: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; Date.now() < until; n += 1) {
    await work(n);
    await sleep(everyMs);
  }
}

async function measure(what: string, expected: number, ask: () => Promise<Answer>): Promise<Answer | null> {
  const began = performance.now();
  const answer = await ask().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  measured.set(what, [...(measured.get(what) ?? []), performance.now() - began]);
  if (!(answer instanceof Error) && answer.status === expected) return answer;
  const failure = `${what}: ${answer instanceof Error ? answer.message : answer.status}`;
  failures.set(failure, (failures.get(failure) ?? 0) + 1);
  return null;
}

function attack(child: ChildProcess): Promise<Report> {
  const target = { pages, largeFile, picture, post, adminEmail: owner.email };
  child.send({ url, until, target, only: options.only } satisfies Orders);
  return new Promise((done, reject) => {
    child.once('message', (message) => done(message as Report));
    child.once('exit', (code) => reject(new Error(`The attackers ended with code ${code}.`)));
  });
}

/**
 * Returns the number of acknowledged inquiries that the database lacks. While the database is unavailable, the host
 * stores inquiries in files. A task moves them into the database every minute, so this function waits up to 90 s.
 */
async function lostInquiries(): Promise<number> {
  const database = new DatabaseSync(join(dataDirectory, 'site.db'), { readOnly: true, timeout: 10_000 });
  for (const deadline = Date.now() + 90_000; ; await sleep(5_000)) {
    const stored = new Set(
      database
        .prepare('SELECT id FROM submissions')
        .all()
        .map(({ id }) => id),
    );
    const lost = acknowledged.filter((id) => !stored.has(id)).length;
    if (lost === 0 || Date.now() > deadline) return lost;
  }
}

function quantiles(times: readonly number[]): { p50: number; p95: number; max: number } {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}
