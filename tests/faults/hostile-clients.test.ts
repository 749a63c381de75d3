import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fillSite } from '../../host/commands/seed.ts';
import { readEnv } from '../../netlify/server/env.ts';
import { residentMegabytes, unreading, visit } from '../support/host/crowd.ts';
import { sizeOf } from '../support/faults/faults.ts';
import { type RunningHost, sessionToken, startHostProcess } from '../support/host/host-process.ts';
import { publishFile } from '../support/api/uploads.ts';
import { owner, ownerVariables, sendInquiry } from '../support/samples/visitors.ts';

const pages = ['/', '/services', '/contact', '/blog', '/rss.xml'];
const onLinux = test.runIf(process.platform === 'linux');

onLinux(
  'With 64 open files, pages are served and inquiries are accepted as soon as other clients close their connections',
  async () => {
    const host = await startHostProcess(undefined, {}, undefined, 'ulimit -n 64');
    onTestFinished(() => host.stop());
    let last = 0;
    // Opens more silent connections than the process has file descriptors, each from a different IP address.
    const leave = unreading(80, host, '', () => `127.0.3.${(last += 1)}`);
    await expect.poll(() => visit(host, '/')).toBe('ECONNRESET');
    leave();
    await expect.poll(() => visit(host, '/')).toBe(200);
    for (const path of pages) expect(await visit(host, path), path).toBe(200);
    for (let round = 0; round < sizeOf(2, 20); round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => visit(host, '/')));
    }
    await expect.poll(() => visit(host, '/')).toBe(200);
    expect((await sendInquiry(host.url, 'After the crowd')).status).toBe(201);
  },
);

/** Returns by how many megabytes the memory of the host grows at most during some work. */
async function growthDuring(host: RunningHost, work: () => Promise<unknown>): Promise<number> {
  const before = await residentMegabytes(host);
  let most = before;
  const note = (megabytes: number) => void (most = Math.max(most, megabytes));
  const watch = setInterval(() => void residentMegabytes(host).then(note), 50);
  await work().finally(() => clearInterval(watch));
  return most - before;
}

onLinux(
  'A crowd that requests pages of a thousand posts, or one byte of a large file, uses little memory',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'crowd-'));
    await fillSite(readEnv({ DATA_DIR: directory }), { posts: 1_000, media: 0, inquiries: 0, applications: 0 });
    const host = await startHostProcess(directory, ownerVariables);
    onTestFinished(() => host.stop());
    const readPages = async () => {
      const crowd = Array.from({ length: 100 }, () => ['/rss.xml', '/sitemap-posts-1.xml', '/blog']).flat();
      const statuses = await Promise.all(crowd.map((path, n) => visit(host, path, `127.0.5.${n % 5}`)));
      expect(new Set(statuses)).toEqual(new Set([200]));
    };
    const file = await publishFile(host, await sessionToken(host, owner), 10_485_760);
    const readByte = async () => {
      const response = await fetch(host.url + file, { headers: { range: 'bytes=0-0' } });
      expect([response.status, await response.text()]).toEqual([206, '%']);
    };
    const readBytes = async () => {
      // Sends 50 requests at a time: an IP address may have at most 128 connections, and earlier ones may still be open.
      for (let asked = 0; asked < sizeOf(200, 400); asked += 50)
        await Promise.all(Array.from({ length: 50 }, readByte));
    };
    // The first read loads code that stays in memory.
    await readByte();
    expect(await growthDuring(host, async () => (await readPages(), await readBytes()))).toBeLessThan(150);
  },
);
