import { afterEach, beforeEach, expect, test } from 'vitest';
import health from '../../netlify/functions/health.ts';
import { takeLog } from '../support/console.ts';
import { type TestServices, call, testServices } from '../support/services.ts';

let site: TestServices;
beforeEach(async () => {
  site = await testServices();
});
afterEach(() => site.close());

test('Health is ok while the database and the blob store answer', async () => {
  const response = await call(health, '/api/health', site.services);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    status: 'ok',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    database: 'ok',
    blobs: 'ok',
    mail: 'ok',
    webhook: 'ok',
    schedule: 'ok',
    posts: 'ok',
  });
});

test('Health says what does not answer, and names no host or secret', async () => {
  site.services.database.close();
  const response = await call(health, '/api/health', site.services);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    status: 'failing',
    database: "the database does not answer; the server's log says why",
    blobs: 'ok',
  });
  expect(takeLog()).toHaveLength(1);
});
