import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@libsql/client';
import { expect, onTestFinished, test } from 'vitest';
import { sizeOf } from '../../support/faults/faults.ts';
import { type RunningHost, startHostProcess } from '../../support/host/host-process.ts';
import {
  inquiringCompanies,
  ownerVariables,
  readHealth,
  readPage,
  sendInquiry,
} from '../../support/samples/visitors.ts';

/**
 * Lets visitors read pages and send forms for some time.
 * @param statuses the responses that a form may get.
 * @returns the times of the responses in milliseconds, sorted, and the companies whose inquiries were acknowledged.
 */
async function crowd({ url }: RunningHost, ms: number, senders: readonly string[], statuses: readonly number[]) {
  const until = performance.now() + ms;
  const pages: number[] = [];
  const forms: number[] = [];
  const told: string[] = [];
  const visitor = async (): Promise<void> => {
    while (performance.now() < until) {
      for (const path of ['/', '/services', '/api/cms/blog-posts/published']) {
        const seen = await readPage(url, path);
        expect(seen.status, path).toBe(200);
        pages.push(seen.ms);
      }
      await sleep(20);
    }
  };
  const sender = async (name: string): Promise<void> => {
    for (let n = 0; performance.now() < until; n += 1) {
      const seen = await sendInquiry(url, `${name} ${n}`);
      expect(statuses).toContain(seen.status);
      forms.push(seen.ms);
      if (seen.status === 201) told.push(`${name} ${n}`);
    }
  };
  await Promise.all([visitor(), ...senders.map(sender)]);
  for (const times of [pages, forms]) times.sort((a, b) => a - b);
  console.log(
    `pages: ${pages.length}, median ${pages[pages.length >> 1]?.toFixed()} ms, slowest ${pages.at(-1)?.toFixed()} ms; forms: ${forms.length}, slowest ${forms.at(-1)?.toFixed()} ms`,
  );
  // The limits are ten times the usual values, because the tests share the machine.
  expect(pages.at(-1)).toBeLessThan(1_000);
  expect(forms.at(-1)).toBeLessThan(4_000);
  return { pages, forms, told };
}

test('While another program locks the database, pages are served as usual, and a form gets a response within two seconds and is stored once', async () => {
  const log: string[] = [];
  const host = await startHostProcess(undefined, ownerVariables, (line) => log.push(line));
  onTestFinished(() => host.stop());
  // The first requests let Node compile the code, so the compilation is not measured.
  for (const company of ['First', 'Second']) expect((await sendInquiry(host.url, company)).status).toBe(201);
  const other = createClient({ url: `file:${join(host.dataDirectory, 'site.db')}` });
  const lock = await other.transaction('write');
  const health = async (): Promise<void> => {
    await sleep(500);
    expect((await readHealth(host.url)).ms).toBeLessThan(4_000);
  };
  const missing = async (): Promise<void> => {
    const { status, ms } = await readPage(host.url, '/blog/no-such-post');
    expect([status, ms < 1_000]).toEqual([404, true]);
  };
  const [{ pages, forms, told }] = await Promise.all([
    crowd(host, sizeOf(4_000, 45_000), ['A', 'B', 'C'], [201]),
    health(),
    missing(),
  ]);
  await lock.rollback();
  other.close();
  expect(pages[Math.floor(pages.length * 0.95)]).toBeLessThan(250);
  expect(forms[Math.floor(forms.length / 2)]).toBeLessThan(2_000);

  // Every inquiry is already stored, in the database or in the blob store. Sending an inquiry again must not store a
  // second copy.
  for (const company of told) expect((await sendInquiry(host.url, company)).status).toBe(201);
  expect((await inquiringCompanies(host.url)).sort()).toEqual(['First', 'Second', ...told].sort());
  expect(log.join('\n')).toContain('waits in the file storage');
});

test('While each flush to the disk takes two seconds, pages are served as usual, forms get a response within the time limit, and acknowledged inquiries are stored once', async ({
  skip,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'slow-disk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const library = join(folder, 'slow-disk.so');
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-o', library, 'tests/support/faults/slow-disk.c', '-ldl'], {
      stdio: 'pipe',
    });
  } catch {
    skip('There is no C compiler here to make the disk slow.');
  }
  const mark = join(folder, 'slow');
  const variables = { ...ownerVariables, LD_PRELOAD: library, SLOW_DISK: mark };
  const host = await startHostProcess(undefined, variables, () => undefined);
  onTestFinished(async () => {
    await rm(mark, { force: true });
    await host.stop();
  });
  expect((await sendInquiry(host.url, 'Before')).status).toBe(201);
  await writeFile(mark, '');
  const { told } = await crowd(host, sizeOf(6_000, 45_000), ['A', 'B'], [201, 503]);
  await rm(mark);
  for (const company of told) expect((await sendInquiry(host.url, company)).status).toBe(201);
  const companies = await inquiringCompanies(host.url);
  expect(companies).toEqual([...new Set(companies)]);
  expect(companies).toEqual(expect.arrayContaining(['Before', ...told]));
});
