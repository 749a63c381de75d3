import { afterEach, beforeEach, expect, test } from 'vitest';
import health from '../../netlify/functions/health.ts';
import siteStatus from '../../netlify/functions/site-status.ts';
import { notChecked } from '../../src/domain/health.ts';
import { signedInAdmin } from '../support/admins.ts';
import { takeLog } from '../support/console.ts';
import { type TestServices, call, testServices } from '../support/services.ts';

const minute = 60_000;
let site: TestServices;
beforeEach(async () => {
  site = await testServices();
});
afterEach(() => site.close());

test('Health is ok while the database and the blob store respond', async () => {
  const response = await call(health, '/api/health', site.services);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    status: 'ok',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    database: 'ok',
    blobs: 'ok',
    disk: 'ok',
    mail: 'ok',
    webhook: 'ok',
    schedule: 'ok',
    pages: 'ok',
    posts: 'ok',
  });
});

test('Health reports the failing part, without a host name or a secret', async () => {
  site.services.database.close();
  const response = await call(health, '/api/health', site.services);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    status: 'failing',
    database: 'The database cannot be reached. Check the disk, or the address and token of the database server.',
    blobs: 'ok',
    // The site cannot check these parts without the database. The banner on the admin page omits parts with this value.
    ...{ mail: notChecked, webhook: notChecked, schedule: notChecked, posts: notChecked },
  });
  expect(takeLog()).toHaveLength(1);
});

test('Health reports lost files, and still returns 200 because the site works', async () => {
  await call(health, '/api/health', site.services);
  await site.blobs('health').delete('sentinel');
  site.advance(minute);
  const response = await call(health, '/api/health', site.services);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: 'degraded',
    blobs: expect.stringContaining('The uploaded files are missing'),
  });
});

test('A loss of files is no longer reported once an admin accepts it', async () => {
  await call(health, '/api/health', site.services);
  await site.blobs('health').delete('sentinel');
  const headers = await signedInAdmin(site.services);
  const path = '/api/settings/accept-missing-files';
  const accepted = await call(siteStatus, path, site.services, { method: 'POST', headers });
  expect((await accepted.json()).health.blobs).toBe('ok');
});

test('Health returns 503 if nothing can be written, even if everything can be read', async () => {
  await site.services.database.write({ sql: 'DROP TABLE health_checks', args: [] });
  const response = await call(health, '/api/health', site.services);
  expect(response.status).toBe(503);
  takeLog();
});

test('A thousand requests for health cause one check', async () => {
  let checks = 0;
  const { database } = site.services;
  const counting = { ...site.services, database: { ...database, check: () => ((checks += 1), database.check()) } };
  await Promise.all(Array.from({ length: 1_000 }, () => call(health, '/api/health', counting)));
  await call(health, '/api/health', counting);
  expect(checks).toBe(1);
  site.advance(minute);
  await call(health, '/api/health', counting);
  expect(checks).toBe(2);
});
