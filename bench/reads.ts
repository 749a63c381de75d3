import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { fillSite } from '../host/commands/seed.ts';
import { readEnv } from '../netlify/server/env.ts';
import { apiPaths } from '../src/domain/api-paths.ts';
import { sessionToken, startHostProcess } from '../tests/support/host-process.ts';

/**
 * Measures how many posts, feeds and public texts the host serves per second, at 64 connections that accept the same
 * compression as a browser. For comparison, also measures a built file whose compressed size is about that of the
 * response.
 *
 * Then measures the admin's list of 100,000 inquiries. Goals for the median: 20 ms for a page, 100 ms for a search.
 *
 * node bench/reads.ts
 * node bench/reads.ts /rss.xml     measures only the named paths
 * node bench/reads.ts lists        measures only the list
 */
const given = process.argv.slice(2);
const usual = [
  '/blog/five-mistakes-in-landed-cost',
  '/blog',
  '/rss.xml',
  '/sitemap-posts-1.xml',
  apiPaths.publishedPosts,
  apiPaths.section('hero_title'),
];
const paths = given.length > 0 ? given.filter((path) => path !== 'lists') : usual;
const seconds = Number(process.env.BENCH_SECONDS ?? 10);
const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const admin = { email: 'owner@firm.example', password: 'a long sentence about rivers' };
const inquiries = 100_000;
const listRuns = 15;

/** Returns the pages and feeds of the build, with the size of their compressed form in bytes. */
async function builtFiles(): Promise<{ path: string; bytes: number }[]> {
  const names = (await readdir('dist', { recursive: true })).filter((name) => /\.(html|txt|xml|json)\.br$/.test(name));
  return await Promise.all(
    names
      // Omits files whose path leads to a redirect, an error, or bytes that differ from the file.
      .filter((name) => !/^(404|service-not-found|index|admin\/|privacy-policy|terms-of-service)/.test(name))
      .map(async (name) => ({
        path: `/${name.replace(/(\.html)?\.br$/, '')}`,
        bytes: (await stat(`dist/${name}`)).size,
      })),
  );
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'reads-'));
const amounts = { posts: 20, media: 0, inquiries, applications: 0 };
await fillSite(readEnv({ DATA_DIR: dataDirectory }), amounts);
const host = await startHostProcess(dataDirectory, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
try {
  const token = await sessionToken(host, admin);

  const measure = async (path: string, duration: number) => {
    const result = await autocannon({ url: host.url + path, connections: 64, duration, headers });
    if (result.non2xx + result.errors > 0) throw new Error(`Some requests to ${path} failed`);
    return {
      rate: Math.round(result['2xx'] / result.duration),
      p99: result.latency.p99,
      bytes: Math.round(result.throughput.total / result['2xx']),
    };
  };
  const files = await builtFiles();
  const rows = [];
  for (const path of paths) {
    const { bytes } = await measure(path, 2);
    const distance = (of: number) => Math.abs(Math.log(of / bytes));
    const file = files.reduce((nearest, one) => (distance(one.bytes) < distance(nearest.bytes) ? one : nearest));
    await measure(file.path, 2);
    const [answer, built] = [await measure(path, seconds), await measure(file.path, seconds)];
    rows.push({
      path,
      bytes: answer.bytes,
      'answers/s': answer.rate,
      'p99, ms': answer.p99,
      file: file.path,
      'its bytes': built.bytes,
      'its answers/s': built.rate,
      'its p99, ms': built.p99,
      'share of the file, %': Math.round((100 * answer.rate) / built.rate),
    });
  }
  if (rows.length > 0) console.table(rows);
  if (given.length === 0 || given.includes('lists')) {
    console.table(await listRows(token));
  }
} finally {
  await host.stop();
}

/** Measures pages and searches of the admin's list of inquiries, one request at a time. */
async function listRows(token: string) {
  const list = '/api/contact/submissions';
  const ask = async (path: string) => {
    const began = performance.now();
    const response = await fetch(host.url + path, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    const { data, nextCursor } = (await response.json()) as { data: unknown[]; nextCursor: string | null };
    return { ms: performance.now() - began, rows: data.length, nextCursor };
  };
  const { nextCursor } = await ask(list);
  const questions = {
    'first page': list,
    'second page': `${list}?cursor=${nextCursor}`,
    'one of all': `${list}?q=whitfield99999`,
    'a common word': `${list}?q=ledger`,
    'a beginning': `${list}?q=inv`,
    'two words': `${list}?q=general+ledger`,
  };
  const rows = [];
  for (const [what, path] of Object.entries(questions)) {
    const answers = [];
    for (let run = 0; run < listRuns; run += 1) answers.push(await ask(path));
    if (answers[0]?.rows === 0) throw new Error(`${path} found nothing.`);
    const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
    rows.push({
      what,
      rows: answers[0]?.rows,
      'median, ms': Number(times[(listRuns - 1) / 2]?.toFixed(1)),
      'slowest, ms': Number(times.at(-1)?.toFixed(1)),
    });
  }
  return rows;
}
