import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { fillSite } from '../host/commands/seed.ts';
import { readEnv } from '../netlify/server/env.ts';
import { apiPaths } from '../src/domain/api-paths.ts';
import { sessionToken, startHostProcess } from '../tests/support/host-process.ts';

/**
 * Measures how many posts, feeds and public texts the host serves per second, at 64 connections that accept the same
 * compression as a browser. For comparison, also measures a page of the build.
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
  const rows = [];
  for (const path of paths.length > 0 ? ['/contact', ...paths] : []) {
    await measure(path, 2);
    const { rate, p99, bytes } = await measure(path, seconds);
    const share = Math.round((100 * rate) / (rows[0]?.['answers/s'] ?? rate));
    rows.push({ path, bytes, 'answers/s': rate, 'p99, ms': p99, 'share of the page, %': share });
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
