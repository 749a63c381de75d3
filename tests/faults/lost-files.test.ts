import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { HealthReport } from '../../src/domain/health.ts';
import { anInquiry } from '../support/inquiries.ts';
import { type RunningHost, startHostProcess } from '../support/host-process.ts';

let host: RunningHost | undefined;
afterEach(() => host?.stop());

const health = async (url: string): Promise<[number, HealthReport]> => {
  const response = await fetch(`${url}/api/health`);
  return [response.status, (await response.json()) as HealthReport];
};

test.for(['while the site runs', 'while the site is stopped'])(
  'A file folder that is lost %s is reported within a minute, and the site keeps running',
  { timeout: 120_000 },
  async (when) => {
    host = await startHostProcess();
    expect(await health(host.url)).toMatchObject([200, { status: 'ok', blobs: 'ok' }]);
    const { dataDirectory } = host;
    const lose = () => rm(join(dataDirectory, 'blobs'), { recursive: true, force: true });
    if (when === 'while the site runs') await lose();
    else {
      await host.kill();
      await lose();
      host = await startHostProcess(dataDirectory);
    }
    const { url } = host;
    await expect
      .poll(async () => await health(url), { timeout: 60_000, interval: 1_000 })
      .toMatchObject([200, { status: 'degraded', blobs: expect.stringContaining('The uploaded files are missing') }]);
    const response = await fetch(`${url}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(anInquiry()),
    });
    expect(response.status).toBe(201);
  },
);
