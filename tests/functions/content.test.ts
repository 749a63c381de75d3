import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import content from '../../netlify/functions/content.ts';
import { startSession } from '../../netlify/server/auth/sessions.ts';
import { lendPlatform } from '../../netlify/server/platform.ts';
import { type TestServices, call, testServices } from '../support/services.ts';

let site: TestServices;
let authorization: string;
let rebuilds = 0;
const hook = createServer((_, response) => {
  rebuilds += 1;
  response.end();
});

beforeEach(async () => {
  rebuilds = 0;
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  site = await testServices({ BUILD_HOOK_URL: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/` });
  lendPlatform({ env: site.services.env, openBlobStore: site.blobs });
  await site.services.stores.admins.createFirst({ email: 'a@firm.example', passwordHash: '-' }, '2026-01-01T00:00:00Z');
  const { token } = await startSession('a@firm.example', new Request('http://site.test'), site.services);
  authorization = `Bearer ${token}`;
});
afterEach(async () => {
  lendPlatform(undefined);
  await new Promise((resolve) => hook.close(resolve));
  await site.close();
});

const get = (key: string, headers: Record<string, string> = {}) =>
  call(content, `/api/cms/content/${key}`, site.services, { headers });
const put = (key: string, json: unknown, headers: Record<string, string> = { authorization }) =>
  call(content, `/api/cms/content/${key}`, site.services, { method: 'PUT', json, headers });

describe('A home text', () => {
  test('is empty until somebody writes it, and unknown under any other key', async () => {
    const response = await get('hero_title');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: null });
    expect((await get('secret')).status).toBe(404);
  });

  test('is public once saved, and a page that has it already is told so', async () => {
    const saved = await put('hero_title', { title: 'Books that agree', content: '', metadata: '{"a":1}' });
    expect(saved.status).toBe(200);
    const response = await get('hero_title');
    expect(await response.json()).toMatchObject({ data: { sectionKey: 'hero_title', title: 'Books that agree' } });
    expect(response.headers.get('netlify-cache-tag')).toBe('content,content-hero_title');
    const again = await get('hero_title', { 'if-none-match': response.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('asks for a rebuild when it changes', async () => {
    await put('hero_title', { title: 'Books that agree' });
    expect(rebuilds).toBe(1);
  });

  test('with metadata that is no JSON is refused, and needs a session', async () => {
    const response = await put('hero_title', { title: 'x', metadata: '{a:1}' });
    expect(response.status).toBe(400);
    expect((await response.json()).errors).toEqual({ metadata: 'Metadata must be valid JSON.' });
    expect((await put('hero_title', { title: 'x' }, {})).status).toBe(401);
    expect(rebuilds).toBe(0);
  });
});
