import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sizeOf } from '../support/faults.ts';
import { type RunningHost, sessionToken, startHostProcess } from '../support/host-process.ts';
import { publishFile } from '../support/uploads.ts';
import { owner, ownerVariables } from '../support/visitors.ts';

const megabyte = 1024 * 1024;
const fileBytes = 10 * megabyte;

let host: RunningHost;
let file: string;
beforeAll(async () => {
  host = await startHostProcess(undefined, ownerVariables);
  file = await publishFile(host, await sessionToken(host, owner), fileBytes);
});
afterAll(() => host.stop());

/** Resident memory of the host, in bytes. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${host.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** Returns the maximum memory of the host during some work, in bytes. */
async function peakDuring(work: () => Promise<unknown>): Promise<number> {
  let most = await memory();
  let running = true;
  const watch = (async () => {
    while (running) {
      most = Math.max(most, await memory());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  try {
    await work();
  } finally {
    running = false;
    await watch;
  }
  return most;
}

test('hundreds of visitors who request one byte of a large file use little memory', async () => {
  const read = async () => {
    const response = await fetch(host.url + file, { headers: { range: 'bytes=0-0' } });
    expect(response.status).toBe(206);
    expect(await response.text()).toBe('%');
  };
  await read();
  const before = await memory();
  const peak = await peakDuring(async () => {
    // Sends 50 requests at a time: an IP address may have at most 128 connections, and earlier ones may still be open.
    for (let asked = 0; asked < sizeOf(200, 400); asked += 50) await Promise.all(Array.from({ length: 50 }, read));
  });
  expect((peak - before) / megabyte).toBeLessThan(150);
});
