import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { browserArguments, chromiumPath } from '../tests/support/browser.ts';
import { startHostProcess } from '../tests/support/host-process.ts';

/**
 * Runs Lighthouse on every public page of the sitemap, mobile and desktop, and prints the median of three runs.
 * `npm run bench pages -- /contact` measures only the named pages. BENCH_RUNS=1 and BENCH_FORMS=mobile shorten the run.
 * The first run downloads Lighthouse, which is not a package of this project because of its size.
 */
const lighthouse = 'lighthouse@13.5.0';
const given = process.argv.slice(3).filter((argument) => argument.startsWith('/'));
const runs = Number(process.env.BENCH_RUNS ?? 3);
const forms = (process.env.BENCH_FORMS ?? 'mobile,desktop').split(',');
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

const host = await startHostProcess();
const sitemap = await (await fetch(`${host.url}/sitemap-0.xml`)).text();
const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address ?? '').pathname);
const pages = given.length > 0 ? given : listed;

/** The parts of a Lighthouse report that this benchmark reads. */
interface Report {
  readonly categories: Record<string, { readonly score: number | null; readonly auditRefs: readonly { id: string }[] }>;
  readonly audits: Record<string, { readonly title: string; readonly score: number | null; numericValue?: number }>;
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
    {
      env: { ...process.env, CHROME_PATH: chromiumPath() },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return JSON.parse(stdout) as Report;
}

const rows = [];
try {
  for (const page of pages) {
    for (const form of forms) {
      const reports: Report[] = [];
      for (let run = 0; run < runs; run += 1) {
        reports.push(await reportOf(page, form));
      }
      const of = (read: (report: Report) => number) =>
        reports.map(read).sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
      const audit = (name: string) => of((report) => report.audits[name]?.numericValue ?? Number.NaN);
      rows.push({
        page: `${page} ${form}`,
        scores: categories
          .map((name) => Math.round(of((report) => report.categories[name]?.score ?? 0) * 100))
          .join(' / '),
        'FCP, s': (audit('first-contentful-paint') / 1000).toFixed(2),
        'LCP, s': (audit('largest-contentful-paint') / 1000).toFixed(2),
        'TBT, ms': Math.round(audit('total-blocking-time')),
        CLS: audit('cumulative-layout-shift').toFixed(3),
        'KB in all': Math.round(audit('total-byte-weight') / 1024),
      });
      const last = reports.at(-1);
      for (const name of categories) {
        for (const { id } of last?.categories[name]?.auditRefs ?? []) {
          const found = last?.audits[id];
          if (name !== 'performance' && found?.score === 0) console.log(`${page} ${form}: ${name}: ${found.title}`);
        }
      }
    }
  }
} finally {
  await host.stop();
}
console.table(rows);
