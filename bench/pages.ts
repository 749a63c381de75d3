import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromium } from 'playwright';
import { apiPaths } from '../src/domain/api-paths.ts';
import { browserArguments, chromiumPath } from '../tests/support/browser/browser.ts';
import { startHostProcess } from '../tests/support/host/host-process.ts';
import { adminCall, startSession } from '../tests/support/samples/inbox.ts';
import { aPost } from '../tests/support/samples/posts.ts';
import { owner, ownerVariables } from '../tests/support/samples/visitors.ts';

/**
 * Runs Lighthouse on every public page of the sitemap, mobile and desktop, and prints the median of three runs. Then
 * measures how long an admin waits for the first row of posts.
 *
 * node bench/pages.ts
 * node bench/pages.ts /contact /admin          only the named pages
 *
 * BENCH_RUNS=1 and BENCH_FORMS=mobile shorten the run. The first run downloads Lighthouse, which is not a package of this
 * project because of its size.
 */
const lighthouse = 'lighthouse@13.5.0';
const given = process.argv.slice(2);
const runs = Number(process.env.BENCH_RUNS ?? 3);
const forms = (process.env.BENCH_FORMS ?? 'mobile,desktop').split(',');
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
/** The admin's processor is slowed down by this factor, as on a mid-range phone. */
const slowdown = 4;
const adminRuns = 5 * runs;

const host = await startHostProcess(undefined, ownerVariables);
try {
  const sitemap = await (await fetch(`${host.url}/sitemap-0.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address ?? '').pathname);
  const rows = [];
  for (const page of given.length > 0 ? given.filter((path) => path !== '/admin') : listed) {
    for (const form of forms) rows.push(await figuresOf(page, form));
  }
  if (rows.length > 0) console.table(rows);
  if (given.length === 0 || given.includes('/admin')) console.table(await firstRows());
} finally {
  await host.stop();
}

/** The parts of a Lighthouse report that this benchmark reads. */
interface Report {
  readonly categories: Record<string, { readonly score: number | null; readonly auditRefs: readonly { id: string }[] }>;
  readonly audits: Record<string, { readonly title: string; readonly score: number | null; numericValue?: number }>;
}

async function figuresOf(page: string, form: string) {
  const reports: Report[] = [];
  for (let run = 0; run < runs; run += 1) reports.push(await reportOf(page, form));
  const last = reports.at(-1);
  for (const name of categories.filter((category) => category !== 'performance')) {
    for (const { id } of last?.categories[name]?.auditRefs ?? []) {
      const found = last?.audits[id];
      if (found?.score === 0) console.log(`${page} ${form}: ${name}: ${found.title}`);
    }
  }
  const audit = (name: string) => median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
  const score = (name: string) => median(reports.map((report) => report.categories[name]?.score ?? 0));
  return {
    page: `${page} ${form}`,
    scores: categories.map((name) => Math.round(score(name) * 100)).join(' / '),
    'FCP, s': (audit('first-contentful-paint') / 1000).toFixed(2),
    'LCP, s': (audit('largest-contentful-paint') / 1000).toFixed(2),
    'TBT, ms': Math.round(audit('total-blocking-time')),
    CLS: audit('cumulative-layout-shift').toFixed(3),
    'bytes in all': audit('total-byte-weight'),
  };
}

async function reportOf(page: string, form: string): Promise<Report> {
  const options = [
    '--output=json',
    '--quiet',
    `--only-categories=${categories.join()}`,
    `--chrome-flags=${['--headless=new', ...browserArguments].join(' ')}`,
    ...(form === 'desktop' ? ['--preset=desktop'] : []),
  ];
  const { stdout } = await promisify(execFile)(
    'npm',
    ['exec', '--yes', lighthouse, '--', host.url + page, ...options],
    { env: { ...process.env, CHROME_PATH: chromiumPath() }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Report;
}

/** Measures from the navigation, with an empty browser cache, to the frame that shows the first row of posts. */
async function firstRows() {
  const session = await startSession({ url: host.url, admin: owner });
  const call = adminCall(host, session);
  for (let number = 1; number <= 50; number += 1) {
    await call(apiPaths.posts, 'POST', aPost({ slug: `post-${number}`, title: `Post ${number}`, status: 'published' }));
  }
  const executablePath = chromiumPath();
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: [...browserArguments] });
  const times: number[] = [];
  const bytes: number[] = [];
  // Does not count the first run, in which the server fills its caches.
  for (let run = 0; run <= adminRuns; run += 1) {
    const context = await browser.newContext({ baseURL: host.url, storageState: session });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    let received = 0;
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (received += encodedDataLength));
    await devtools.send('Network.enable');
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto('/admin', { waitUntil: 'commit' });
    const row = await page.waitForFunction(
      () => document.querySelector('.list-row th a') !== null && performance.now(),
      undefined,
      { polling: 'raf' },
    );
    if (run > 0) {
      times.push(Number(await row.jsonValue()));
      bytes.push(received);
    }
    await context.close();
  }
  await browser.close();
  return [{ page: '/admin', 'first row, ms': Math.round(median(times)), 'bytes until then': median(bytes) }];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
