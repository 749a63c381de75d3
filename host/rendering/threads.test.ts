import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Bundle } from './bundle.ts';
import { renderInThreads } from './threads.ts';

/**
 * A bundle that renders 500 text files. Each contains its path and the number of the thread. A file takes a few
 * milliseconds, so the first thread is not done before the others have loaded their code.
 */
const code = `
  import { threadId } from 'node:worker_threads';
  const fail = process.env.TEST_FAIL ?? '';
  export const renderer = {
    staticPaths: async () => Array.from({ length: 500 }, (_, at) => ({ pathname: '/' + at + '.txt', route: { type: 'endpoint' } })),
    render: async (request) => {
      const { pathname } = new URL(request.url);
      await new Promise((resolve) => setTimeout(resolve, 4));
      if (pathname === fail) return new Response('', { status: 500 });
      if (fail === 'exit' && threadId > 0) process.exit(0);
      return new Response(pathname + ' ' + threadId);
    },
  };
`;
const bundle: Bundle = {
  inputs: '',
  entry: 'entry.mjs',
  site: 'https://example.com',
  imports: [],
  onRequest: [],
  config: {},
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'threads-'));
  await mkdir(join(root, '.cache/bundle/server'), { recursive: true });
  await writeFile(join(root, '.cache/bundle/server/entry.mjs'), code);
});
afterEach(async () => {
  delete process.env['TEST_FAIL'];
  // After a failure, this thread may still write a file.
  await rm(root, { recursive: true, maxRetries: 20 });
});

const render = (count: number) =>
  renderInThreads(
    root,
    bundle,
    Array.from({ length: count }, (_, at) => ({ pathname: `/${at}.txt`, file: join(root, `${at}.txt`) })),
  );

/** Renders files. @returns the text of each file, and the numbers of the threads that rendered them. */
async function rendered(count: number) {
  const policies = await render(count);
  const texts = await Promise.all([...policies.keys()].map((pathname) => readFile(join(root, pathname), 'utf8')));
  const parts = texts.map((text) => text.split(' '));
  return { pathnames: parts.map(([pathname]) => pathname), threads: new Set(parts.map(([, thread]) => thread)).size };
}

test.skipIf(availableParallelism() < 2)('Many pages are rendered by several threads, each page once', async () => {
  const { pathnames, threads } = await rendered(500);
  expect(new Set(pathnames).size).toBe(500);
  expect(pathnames).toHaveLength(500);
  expect(threads).toBeGreaterThan(1);
});

test('A few pages are rendered by one thread, because a second would need more time to load the code', async () => {
  expect(await rendered(100)).toMatchObject({ threads: 1 });
  expect(await rendered(0)).toEqual({ pathnames: [], threads: 0 });
});

test.each(['/0.txt', '/1.txt', '/499.txt'])('A build fails if %s cannot be rendered, in any thread', async (path) => {
  process.env['TEST_FAIL'] = path;
  await expect(render(500)).rejects.toThrow(`${path} cannot be rendered.`);
});

test.skipIf(availableParallelism() < 2)('A build fails if a thread ends before its pages are rendered', async () => {
  process.env['TEST_FAIL'] = 'exit';
  await expect(render(500)).rejects.toThrow('A thread that renders pages ended too early.');
});
