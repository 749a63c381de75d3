import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHostProcess, startThatFails } from '../../support/host/host-process.ts';
import { smallDisk } from '../../support/faults/small-disk.ts';
import { inquiringCompanies, ownerVariables, readPage, sendInquiry } from '../../support/samples/visitors.ts';

/** Writes to a file until the disk is full. */
async function fill(file: string): Promise<void> {
  const block = Buffer.alloc(64 * 1024, 1);
  await writeFile(file, block);
  for (;;) {
    try {
      await writeFile(file, block, { flag: 'a' });
    } catch {
      return;
    }
  }
}

test('On a full disk, pages are served, forms are refused immediately, and no acknowledged inquiry is lost', async (context) => {
  const disk = await smallDisk(48, context);
  const log: string[] = [];
  const host = await startHostProcess(join(disk.folder, 'data'), ownerVariables, (line) => log.push(line));
  context.onTestFinished(() => host.stop());
  const told = ['Before'];
  expect((await sendInquiry(host.url, 'Before')).status).toBe(201);
  await fill(join(disk.folder, 'other'));
  let refused = 0;
  for (let n = 0; n < 300 && refused < 5; n += 1) {
    const { status, ms, body } = await sendInquiry(host.url, `Full ${n}`);
    if (status === 201) told.push(`Full ${n}`);
    else {
      expect(status, body).toBe(503);
      expect(ms).toBeLessThan(4_000);
      refused += 1;
    }
  }
  expect(refused).toBe(5);
  expect((await readPage(host.url)).status).toBe(200);

  await rm(join(disk.folder, 'other'));
  await expect.poll(async () => (await sendInquiry(host.url, 'After')).status).toBe(201);
  expect((await inquiringCompanies(host.url)).filter((one) => !one.startsWith('Full')).sort()).toEqual(
    [...told.filter((one) => !one.startsWith('Full')), 'After'].sort(),
  );
});

test('A start on a read-only disk stops with advice and without a stack trace', async (context) => {
  const disk = await smallDisk(48, context);
  const data = join(disk.folder, 'data');
  const host = await startHostProcess(data, ownerVariables);
  expect((await sendInquiry(host.url, 'Before')).status).toBe(201);
  await host.kill();
  disk.remount('ro');
  const said = await startThatFails(data, ownerVariables);
  expect(said).toMatch(/cannot be written|read-only/);
  disk.remount('rw');
  const again = await startHostProcess(data, ownerVariables);
  expect(await inquiringCompanies(again.url)).toEqual(['Before']);
  await again.stop();
});
