import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { fillSite } from '../host/commands/seed.ts';
import { readEnv } from '../netlify/server/env.ts';
import { apiPaths } from '../src/domain/api-paths.ts';
import { sessionToken, startHostProcess } from '../tests/support/host/host-process.ts';
import { owner, ownerVariables } from '../tests/support/samples/visitors.ts';

/**
 * Measures how many posts, feeds and public texts the host serves per second, at 64 connections that accept the same
 * compression as a browser. For comparison, also measures a page of the build.
 *
 * Then measures the admin's list of 100,000 inquiries, one request at a time. Goals for the median: 20 ms for a page,
 * 100 ms for a search.
 *
 * node bench/reads.ts
 * node bench/reads.ts /rss.xml     measures only the named paths
 */
const given = process.argv.slice(2);
const usual = [
  '/blog/five-mistakes-in-sales-channels',
  '/blog',
  '/rss.xml',
  '/sitemap-posts-1.xml',
  apiPaths.publishedPosts,
  apiPaths.section('hero_title'),
];
const seconds = Number(process.env.BENCH_SECONDS ?? 10);
const list = apiPaths.inquiries.list;

const dataDirectory = await mkdtemp(join(tmpdir(), 'reads-'));
await fillSite(readEnv({ DATA_DIR: dataDirectory }), { posts: 20, media: 0, inquiries: 100_000, applications: 0 });
const host = await startHostProcess(dataDirectory, ownerVariables);
try {
  const visitor = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  const admin = { ...visitor, authorization: `Bearer ${await sessionToken(host, owner)}` };
  const first = await fetch(host.url + list, { headers: admin });
  const { nextCursor } = (await first.json()) as { nextCursor: string };
  const measure = async (path: string, connections: number, headers: Record<string, string>) => {
    const load = (duration: number) => autocannon({ url: host.url + path, connections, duration, headers });
    await load(2);
    const result = await load(seconds);
    if (result.non2xx + result.errors > 0) throw new Error(`Some requests to ${path} failed`);
    return {
      path,
      bytes: Math.round(result.throughput.total / result['2xx']),
      'answers/s': Math.round(result['2xx'] / result.duration),
      'median, ms': result.latency.p50,
      'p99, ms': result.latency.p99,
    };
  };
  const rows = [];
  for (const path of given.length > 0 ? given : ['/contact', ...usual]) rows.push(await measure(path, 64, visitor));
  console.table(rows);
  const searches = ['whitfield99999', 'ledger', 'inv', 'general+ledger'].map((words) => `?q=${words}`);
  const lists = [];
  for (const query of given.length > 0 ? [] : ['', `?cursor=${nextCursor}`, ...searches]) {
    lists.push(await measure(list + query, 1, admin));
  }
  if (lists.length > 0) console.table(lists);
} finally {
  await host.stop();
}
