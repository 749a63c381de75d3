import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { within } from './within.ts';

const block = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

test('Work is not late because the process was busy or suspended', async () => {
  const work = within(readFile(import.meta.filename), 100);
  block(300);
  expect((await work).byteLength).toBeGreaterThan(0);
});
