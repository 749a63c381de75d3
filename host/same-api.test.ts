import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '../netlify/server/runtime/env.ts';
import { prepare } from '../netlify/server/start.ts';
import { describeSameApi } from '../tests/contract/same-api.ts';
import { type MailServer, startMailServer } from '../tests/support/mail-server.ts';
import { type Host, startHost } from './server.ts';

const admin = { email: 'owner@firm.example', password: 'correct horse battery' };
const firmAddress = 'sales@firm.example';
let dataDirectory: string;
let mail: MailServer;
let host: Host;

// Starts the server without the pages of a build.
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'api-'));
  mail = await startMailServer();
  const env = readEnv({
    PORT: '0',
    DATA_DIR: dataDirectory,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    SMTP_URL: mail.url,
    MAIL_FROM: 'no-reply@firm.example',
    CONTACT_EMAIL: firmAddress,
    RATE_LIMITS: 'off',
  });
  const root = process.cwd();
  host = await startHost({ env, root, apiOnly: true, prepare: async (ready) => void (await prepare(ready)) });
}, 60_000);
afterAll(async () => {
  await host.close();
  await mail.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

test('The disk has only the bytes that a visitor uploaded, and nothing that another visitor sent', async () => {
  const parts = [9, 200, 4_095, 4_096, 4_097].map((size) => Buffer.alloc(size, '%PDF-1.7 '));
  for (const body of parts) {
    const opened = await fetch(`${host.url}/api/uploads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'resume.pdf', size: body.byteLength, purpose: 'resume' }),
    });
    const { id } = (await opened.json()) as { id: string };
    expect((await fetch(`${host.url}/api/uploads/${id}/parts/1`, { method: 'PUT', body })).status).toBe(200);
  }
  const entries = await readdir(join(dataDirectory, 'blobs/entries'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.parentPath.includes('site:uploads'));
  const stored = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
  stored.sort((one, other) => one.byteLength - other.byteLength);
  expect(stored.map((bytes) => bytes.toString())).toEqual(parts.map((bytes) => bytes.toString()));
});

describeSameApi('a self-hosted server', () =>
  Promise.resolve({ url: host.url, mail, admin, firmAddress, close: () => Promise.resolve() }),
);
