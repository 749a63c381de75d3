import { readdir, stat } from 'node:fs/promises';
import autocannon from 'autocannon';
import { apiPaths } from '../src/domain/api-paths.ts';
import { postPath } from '../src/domain/post-text.ts';
import { sessionToken, startHostProcess } from '../tests/support/host-process.ts';
import { aPost } from '../tests/support/posts.ts';

/**
 * Measures how many posts, feeds and public texts the host serves per second, at 64 connections that accept the same
 * compression as a browser. For comparison, also measures a built file whose compressed size is about that of the
 * response. Measures the response and the file in five turns, and prints the turn with the median ratio of the two.
 * `node bench/reads.ts /rss.xml` measures only the named paths.
 */
const given = process.argv.slice(2).filter((argument) => argument.startsWith('/'));
const usual = [
  postPath('bench-1'),
  '/blog',
  '/rss.xml',
  '/sitemap-posts-1.xml',
  apiPaths.publishedPosts,
  apiPaths.section('hero_title'),
];
const paths = given.length > 0 ? given : usual;
const seconds = Number(process.env.BENCH_SECONDS ?? 10);
const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const admin = { email: 'owner@firm.example', password: 'a long sentence about rivers' };
const posts = 20;
const rounds = 5;

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

const host = await startHostProcess(undefined, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
try {
  const token = await sessionToken(host, admin);
  const content = '<p>Reconcile the subledgers before you close the period, and keep the list.</p>'.repeat(60);
  for (let index = 1; index <= posts; index += 1) {
    const post = aPost({ slug: `bench-${index}`, title: `Post ${index} of the bench`, status: 'published', content });
    const response = await fetch(host.url + apiPaths.posts, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(post),
    });
    if (!response.ok) throw new Error(`A post was refused: ${await response.text()}`);
  }

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
    // Measures the path and the file in short alternating turns, because the speed of a shared machine changes.
    const turns = [];
    for (let turn = 0; turn < rounds; turn += 1) {
      const one = { answer: await measure(path, seconds / rounds), built: await measure(file.path, seconds / rounds) };
      turns.push({ ...one, share: one.answer.rate / one.built.rate });
    }
    const { answer, built, share } = turns.toSorted((one, other) => one.share - other.share)[(rounds - 1) / 2]!;
    rows.push({
      path,
      bytes: answer.bytes,
      'answers/s': answer.rate,
      'p99, ms': answer.p99,
      file: file.path,
      'its bytes': built.bytes,
      'its answers/s': built.rate,
      'its p99, ms': built.p99,
      'share of the file, %': Math.round(100 * share),
    });
  }
  console.table(rows);
} finally {
  await host.stop();
}
