import autocannon from 'autocannon';
import { startHostProcess } from '../tests/support/host-process.ts';

/**
 * How many readers a second get the public texts and posts from one machine, at 64 connections.
 * `npm run bench reads -- /rss.xml` takes some addresses only.
 */
const given = process.argv.slice(3).filter((argument) => argument.startsWith('/'));
const usual = ['/api/cms/content/hero_title', '/api/cms/blog-posts/published', '/rss.xml', '/'];
const paths = given.length > 0 ? given : usual;
const seconds = Number(process.env.BENCH_SECONDS ?? 10);

const host = await startHostProcess();
try {
  const rows = [];
  for (const path of paths) {
    await autocannon({ url: host.url + path, connections: 64, duration: 2 });
    const result = await autocannon({ url: host.url + path, connections: 64, duration: seconds });
    if (result.non2xx + result.errors > 0) throw new Error(`${path} was not always answered with success`);
    rows.push({
      path,
      'answers/s': Math.round(result['2xx'] / result.duration),
      'p50, ms': result.latency.p50,
      'p99, ms': result.latency.p99,
    });
  }
  console.table(rows);
} finally {
  await host.stop();
}
