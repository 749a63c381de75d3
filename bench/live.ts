import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { apiPaths } from '../src/domain/api-paths.ts';
import { aPost } from '../tests/support/posts.ts';
import { sessionToken, startHostProcess } from '../tests/support/host-process.ts';

/**
 * Measures how long visitors wait for a saved change while 32 connections read the site. Each round saves a headline, a
 * line of the contact page and a post. Fails if a change took more than 30 s to appear, or if a request failed.
 *
 * npm run bench live
 * npm run bench live -- --rounds 5
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '20' },
    connections: { type: 'string', default: '32' },
    'limit-ms': { type: 'string', default: '30000' },
  },
});
const rounds = Number(values.rounds);
const limitMs = Number(values['limit-ms']);
const admin = { email: 'owner@firm.example', password: 'a long sentence about rivers' };
const variables = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };

let host = await startHostProcess(undefined, variables);
const { dataDirectory } = host;
try {
  const token = await sessionToken(host, admin);
  const save = async (path: string, method: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(host.url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  };

  const waited: Record<string, number[]> = {};
  const failed: string[] = [];
  /** Requests the page until it contains the words. */
  const until = async (path: string, words: string, began: number): Promise<void> => {
    for (;;) {
      const response = await fetch(host.url + path);
      const text = await response.text();
      if (response.status !== 200) failed.push(`${path}: ${response.status}`);
      const ms = performance.now() - began;
      if (text.includes(words)) return void (waited[path.replace(/-\d+$/, '-N')] ??= []).push(ms);
      if (ms > limitMs) throw new Error(`${path} does not have "${words}" after ${limitMs} ms.`);
      await sleep(5);
    }
  };

  const load = autocannon({
    url: host.url,
    connections: Number(values.connections),
    duration: 3_600,
    headers: { 'accept-encoding': 'br' },
    requests: ['/', '/blog', '/contact', '/resources', '/rss.xml', apiPaths.publishedSections].map((path) => ({
      path,
    })),
  });
  await sleep(1_000);
  for (let round = 1; round <= rounds; round += 1) {
    const words = `Round ${round} of the bench`;
    const address = `/blog/bench-${round}`;
    let began = performance.now();
    await save(apiPaths.section('hero_title'), 'PUT', { title: words });
    await until('/', words, began);
    began = performance.now();
    await save(apiPaths.section('cta_title'), 'PUT', { title: words });
    await until('/contact', words, began);
    began = performance.now();
    await save(apiPaths.posts, 'POST', aPost({ slug: `bench-${round}`, title: words, status: 'published' }));
    const places = [address, '/blog', '/rss.xml', '/feed.json', '/sitemap-posts-1.xml'];
    await Promise.all(places.map((path) => until(path, address, began)));
    process.stdout.write(`\rround ${round} of ${rounds}`);
  }
  // Saves hundreds of times in a row. The last save must win, and no request may fail meanwhile.
  const manyBegan = performance.now();
  for (let index = 0; index < 300; index += 1) {
    await save(apiPaths.section('hero_title'), 'PUT', { title: `Save ${index} of many` });
  }
  const lastSaved = performance.now();
  await until('/', 'Save 299 of many', lastSaved);
  const many = `${Math.round(lastSaved - manyBegan)} ms for 300 saves, the last of them public after ${Math.round(performance.now() - lastSaved)} ms`;

  // `stop` ends the load. Requests that are still in progress do not count as failures.
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    load.then(resolve, reject);
    (load as unknown as { stop(): void }).stop();
  });

  await save(apiPaths.section('hero_title'), 'PUT', { title: 'Saved right before a power cut' });
  await host.kill();
  host = await startHostProcess(dataDirectory, variables);
  const first = await (await fetch(host.url)).text();
  if (!first.includes('Saved right before a power cut'))
    throw new Error('After a restart, the text differs from the text in the database.');

  const quantile = (times: number[], share: number) =>
    Math.round(times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? 0);
  console.log();
  console.table(
    Object.entries(waited).map(([page, times]) => ({
      page,
      rounds: times.length,
      'median, ms': quantile(times, 0.5),
      'longest, ms': quantile(times, 1),
    })),
  );
  console.log(
    `Meanwhile, readers got ${result['2xx']} responses, ${result.non2xx + result.errors + result.timeouts} failures.`,
  );
  console.log(`${many}. A restart after a kill served the last text.`);
  if (failed.length + result.non2xx + result.errors + result.timeouts > 0) {
    throw new Error(`Some requests failed: ${failed.join(', ') || 'see the count above'}`);
  }
} finally {
  await host.stop();
}
