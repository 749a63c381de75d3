import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSameApi } from '../tests/contract/same-api.ts';
import { useSite } from '../tests/support/site.ts';

const site = useSite({}, { apiOnly: true });

test('The disk has only the bytes that a visitor uploaded, and nothing that another visitor sent', async () => {
  const parts = [9, 200, 4_095, 4_096, 4_097].map((size) => Buffer.alloc(size, '%PDF-1.7 '));
  for (const body of parts) {
    const opened = await fetch(`${site.url}/api/uploads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'resume.pdf', size: body.byteLength, purpose: 'resume' }),
    });
    const { id } = (await opened.json()) as { id: string };
    expect((await fetch(`${site.url}/api/uploads/${id}/parts/1`, { method: 'PUT', body })).status).toBe(200);
  }
  const entries = await readdir(join(site.dataDirectory, 'blobs/entries'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.parentPath.includes('site:uploads'));
  const stored = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
  stored.sort((one, other) => one.byteLength - other.byteLength);
  expect(stored.map((bytes) => bytes.toString())).toEqual(parts.map((bytes) => bytes.toString()));
});

describeSameApi('a self-hosted server', () => Promise.resolve({ ...site, close: () => Promise.resolve() }));
