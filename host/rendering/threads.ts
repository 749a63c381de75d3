import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Bundle } from './bundle.ts';
import { renderFiles, type RenderFilesData, type Target } from './render-files.ts';

/** A thread needs about as much time to load the bundle as to render this number of pages. */
const pagesOfOneThread = 200;
/** Each thread needs about 300 MB. */
const mostThreads = 4;

/** Renders pages in several threads if there are many pages. See {@link renderFiles}. */
export async function renderInThreads(
  root: string,
  bundle: Bundle,
  targets: readonly Target[],
): Promise<Map<string, string>> {
  const data: RenderFilesData = { root, bundle, targets, next: new Int32Array(new SharedArrayBuffer(4)) };
  const threads = Math.min(mostThreads, availableParallelism(), Math.ceil(targets.length / pagesOfOneThread));
  // This thread renders pages, too.
  const others = Array.from(
    { length: Math.max(1, threads) - 1 },
    () => new Worker(new URL('thread.ts', import.meta.url), { workerData: data }),
  );
  try {
    const rendered = await Promise.all([renderFiles(data), ...others.map(policiesOf)]);
    return new Map(rendered.flatMap((policies) => [...policies]));
  } finally {
    await Promise.all(others.map((worker) => worker.terminate()));
  }
}

async function policiesOf(worker: Worker): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', () => reject(new Error('A thread that renders pages ended too early.')));
  });
}
