import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sizeOf } from '../../support/faults.ts';
import { startHostProcess } from '../../support/host-process.ts';
import { inquiringCompanies, ownerVariables, readPage, sendInquiry } from '../../support/visitors.ts';

test('While each flush to the disk takes two seconds, pages are served as usual, forms get a response within the time limit, and acknowledged inquiries are stored once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slow-disk-'));
  const library = join(folder, 'slow-disk.so');
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-o', library, 'tests/support/slow-disk.c', '-ldl'], { stdio: 'pipe' });
  } catch {
    console.log('Skipped: there is no C compiler here to make the disk slow.');
    return;
  }
  const mark = join(folder, 'slow');
  const host = await startHostProcess(
    undefined,
    { ...ownerVariables, LD_PRELOAD: library, SLOW_DISK: mark },
    () => undefined,
  );
  try {
    expect((await sendInquiry(host.url, 'Before')).status).toBe(201);
    await writeFile(mark, '');
    const until = performance.now() + sizeOf(6_000, 45_000);
    const pages: number[] = [];
    const told: string[] = [];
    const visitor = async (): Promise<void> => {
      while (performance.now() < until) {
        for (const path of ['/', '/services', '/api/cms/blog-posts/published']) {
          const { status, ms } = await readPage(host.url, path);
          expect(status, path).toBe(200);
          pages.push(ms);
        }
      }
    };
    const sender = async (name: string): Promise<void> => {
      for (let n = 0; performance.now() < until; n += 1) {
        const { status, ms } = await sendInquiry(host.url, `${name} ${n}`);
        expect([201, 503]).toContain(status);
        // The usual time is 1.8 s. The limit is higher because the tests share the machine.
        expect(ms).toBeLessThan(4_000);
        if (status === 201) told.push(`${name} ${n}`);
      }
    };
    await Promise.all([visitor(), sender('A'), sender('B')]);
    await rm(mark);
    pages.sort((a, b) => a - b);
    expect(pages.at(-1)).toBeLessThan(1_000);
    console.log(`pages: ${pages.length}, slowest ${pages.at(-1)?.toFixed()} ms; acknowledged forms: ${told.length}`);

    for (const company of told) expect((await sendInquiry(host.url, company)).status).toBe(201);
    const companies = await inquiringCompanies(host.url);
    expect(companies).toEqual([...new Set(companies)]);
    expect(companies).toEqual(expect.arrayContaining(['Before', ...told]));
  } finally {
    await rm(mark, { force: true });
    await host.stop();
    await rm(folder, { recursive: true });
  }
});
