import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHostProcess, startThatFails } from '../support/host-process.ts';

test('A start without the files of an earlier start is refused with advice, until the owner accepts the loss', async () => {
  const host = await startHostProcess();
  const { dataDirectory } = host;
  await host.kill();
  await rm(join(dataDirectory, 'blobs'), { recursive: true, force: true });
  expect(await startThatFails(dataDirectory)).toMatch(
    /uploaded files and resumes was emptied or replaced[^]*EMPTY_DATA=accept/,
  );
  const accepted = await startHostProcess(dataDirectory, { EMPTY_DATA: 'accept' });
  expect((await fetch(`${accepted.url}/api/health`)).status).toBe(200);
  await accepted.stop();
}, 60_000);
