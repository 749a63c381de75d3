import { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { takeLog } from '../tests/support/console.ts';
import { DatabaseThread, KeptThread } from './database-worker.ts';

/**
 * A thread that responds to each request with no results. Closes on a `close` message, and fails on a request without
 * writes.
 */
const echo = `
  const { parentPort } = require('node:worker_threads');
  const answer = (id) => parentPort.postMessage({ id, outcomes: [], took: 1, identity: null });
  answer(0);
  parentPort.on('message', ({ kind, id, writes }) => {
    if (kind === 'close') parentPort.close();
    else if (writes.length === 0) process.exit(1);
    else answer(id);
  });
`;
const request = { kind: 'write', writes: [[]] } as const;
const lastRequest = { kind: 'write', writes: [] } as const;

function kept(script: string) {
  const start = vi.fn(() => new DatabaseThread(new Worker(script, { eval: true })));
  const onFault = vi.fn();
  return { thread: new KeptThread('writer', start, onFault), start, onFault };
}

describe('A database thread that stops', () => {
  test('rejects its requests, and a new thread handles later requests', async () => {
    const { thread, start } = kept(echo);
    await thread.ask(request);
    await expect(thread.ask(lastRequest)).rejects.toMatchObject({ fault: 'unreachable' });
    await thread.ask(request);
    expect(start).toHaveBeenCalledTimes(2);
    await thread.close();
    expect(takeLog()).toEqual([expect.stringContaining('database thread ended')]);
  });

  test('immediately after its start is restarted after growing pauses, and requests are rejected immediately', async () => {
    const { thread, start, onFault } = kept('process.exit(1)');
    await vi.waitFor(() => expect(start.mock.calls.length).toBe(3), 5_000);
    await vi.waitFor(() => expect(thread.running).toBe(false), 5_000);
    const began = performance.now();
    await expect(thread.ask(request)).rejects.toMatchObject({ fault: 'unreachable' });
    expect(performance.now() - began).toBeLessThan(50);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // The first restart has no pause. The pauses before the next restarts are 100, 200, 400 and 800 ms.
    expect(start.mock.calls.length).toBeLessThan(7);
    expect(onFault).toHaveBeenCalledWith(expect.objectContaining({ fault: 'unreachable' }));
    await thread.close();
    takeLog();
    const starts = start.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(start).toHaveBeenCalledTimes(starts);
  });

  test('with an error rejects its requests with this error as the cause', async () => {
    const thread = new DatabaseThread(new Worker(`throw new RangeError('too much')`, { eval: true }));
    await expect(thread.ask(request)).rejects.toMatchObject({ cause: { message: 'too much' } });
    await expect(thread.ask(request)).rejects.toMatchObject({ fault: 'unreachable', cause: { message: 'too much' } });
    await expect(thread.ready).rejects.toMatchObject({ fault: 'unreachable' });
  });

  test('because the system allows no more threads is started later', async () => {
    const start = vi
      .fn(() => new DatabaseThread(new Worker(echo, { eval: true })))
      .mockImplementationOnce(() => {
        throw new Error('ERR_WORKER_INIT_FAILED');
      })
      .mockImplementationOnce(() => {
        throw new Error('ERR_WORKER_INIT_FAILED');
      });
    const thread = new KeptThread('reader', start, () => undefined);
    await expect(thread.ask(request)).rejects.toMatchObject({ fault: 'unreachable' });
    await vi.waitFor(() => thread.ask(request), 2_000);
    await thread.close();
    expect(takeLog()).toHaveLength(2);
  });
});
