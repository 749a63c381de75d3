import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSameApi } from '../../contract/same-api.ts';
import { bytesOf } from '../../support/samples/files.ts';
import { useSite } from '../../support/host/site.ts';
import { sendTo, uploadInParts } from '../../support/api/uploads.ts';

const site = useSite({}, { apiOnly: true });

test('The disk has only the bytes that a visitor uploaded, and nothing that another visitor sent', async () => {
  const stored = async () => {
    const entries = await readdir(join(site.dataDirectory, 'blobs/entries'), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.parentPath.includes('site:uploads'));
    return files.map((entry) => join(entry.parentPath, entry.name));
  };
  const before = await stored().catch((): string[] => []);
  const parts = [9, 200, 4_095, 4_096, 4_097].map((size) => bytesOf('%PDF-1.7 ', size));
  for (const file of parts) await uploadInParts(file, sendTo(site.url));
  const added = (await stored()).filter((file) => !before.includes(file));
  const contents = await Promise.all(added.map((file) => readFile(file)));
  contents.sort((one, other) => one.byteLength - other.byteLength);
  expect(contents.map((bytes) => bytes.toString())).toEqual(parts.map((bytes) => Buffer.from(bytes).toString()));
});

describeSameApi('a self-hosted server', () => Promise.resolve({ ...site, close: () => Promise.resolve() }));
