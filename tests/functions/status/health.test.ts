import { describe, expect, test } from 'vitest';
import { notChecked } from '../../../src/domain/site/site-status.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const site = useApi({ mail: true, chat: true });

/** Asks for the whole report, as a check on the server does. */
const health = (services = site.services) => site.ask('/api/health', { address: '127.0.0.1' }, services);

const working = {
  database: 'ok',
  blobs: 'ok',
  disk: 'ok',
  mail: 'ok',
  webhook: 'ok',
  schedule: 'ok',
  backup: 'ok',
  pages: 'ok',
};

describe('Health', () => {
  test('tells strangers only the status, and an admin each part and the version, also while the database is down', async () => {
    const headers = await site.headers();
    expect(await (await site.ask('/api/health')).json()).toEqual({ status: 'ok' });
    const version: unknown = expect.stringMatching(/^\d+\.\d+\.\d+$/);
    const parts = await site.ask('/api/health', { headers });
    expect(await parts.json()).toEqual({ status: 'ok', version, ...working });
    site.services.database.close();
    expect(await (await site.ask('/api/health')).json()).toEqual({ status: 'failing' });
    const report = await (await site.ask('/api/health', { headers })).json();
    expect(report).toMatchObject({ status: 'failing', database: expect.stringContaining('cannot be reached') });
    takeLog();
  });

  test('tells a stranger with a token of nobody only the status, also on a site without SESSION_SECRET', async () => {
    await site.restart({ SESSION_SECRET: '' });
    const headers = { authorization: 'Bearer of.nobody.else' };
    expect(await (await site.ask('/api/health', { headers })).json()).toEqual({ status: 'ok' });
  });

  test('writes nothing and asks file storage for nothing', async () => {
    const { services, statements, blobRequests } = site.counted();
    await site.tick(services);
    const before = await site.services.database.read({ sql: 'SELECT * FROM installation', args: [] });
    statements.length = 0;
    blobRequests.length = 0;
    await health(services);
    expect(statements.filter((statement) => !/^\s*SELECT|^check$/.test(statement))).toEqual([]);
    expect(statements.length).toBeLessThanOrEqual(4);
    expect(blobRequests).toEqual([]);
    expect(await site.services.database.read({ sql: 'SELECT * FROM installation', args: [] })).toEqual(before);
  });

  test('reports the failing part, without a host name, a number or a secret', async () => {
    site.services.database.close();
    const response = await health();
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      status: 'failing',
      database: 'The database cannot be reached. Check the disk, or the URL and token of the database server.',
      // The site cannot check these parts without the database. The banner on the admin page omits parts with this value.
      ...{ blobs: notChecked, mail: notChecked, webhook: notChecked, schedule: notChecked },
    });
    expect(takeLog()).toHaveLength(1);
  });

  test('returns 503 if nothing can be written, even if everything can be read', async () => {
    await site.services.database.read({ sql: 'PRAGMA query_only = ON', args: [] });
    const response = await health();
    expect(response.status).toBe(503);
    expect((await response.json()).database).toContain('The database is read-only');
    takeLog();
  });

  test('is 503 for a monitor that reads only the status as soon as any part fails, and otherwise 200', async () => {
    await site.tick();
    expect((await site.ask('/api/health?strict')).status).toBe(200);
    site.advance(6 * minute);
    const strict = await site.ask('/api/health?strict', { address: '127.0.0.1' });
    expect(strict.status).toBe(503);
    expect(await strict.json()).toMatchObject({
      status: 'degraded',
      schedule: expect.stringContaining('have not run'),
    });
    expect((await health()).status).toBe(200);
  });

  test('reports file storage that fails from the next hour on, and the site status at once', async () => {
    await site.tick();
    const failing = { ...site.services, blobs: () => expect.fail('ENOENT /secret/path') };
    const status = await site.admin('/api/settings/status', {}, failing);
    expect((await status.json()).health.blobs).toContain('File storage does not work');
    expect(takeLog().join()).toContain('file storage does not work');
    site.advance(60 * minute);
    await site.tick(failing);
    const report = await (await health(failing)).json();
    expect(report).toMatchObject({ status: 'failing', blobs: expect.stringContaining('File storage does not work') });
    expect(JSON.stringify(report)).not.toContain('secret');
    site.advance(minute);
    await site.tick();
    expect(await (await health()).json()).toMatchObject(working);
    takeLog();
  });
});

test('An idle site asks its database for at most 7 statements a minute, and file storage for nothing', async () => {
  const { services, statements, blobRequests } = site.counted();
  await site.tick(services);
  for (let passed = 1; passed < 60; passed += 1) {
    statements.length = 0;
    blobRequests.length = 0;
    site.advance(minute);
    await site.tick(services);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(7);
    expect(blobRequests).toEqual([]);
  }
});

describe('A clock far ahead', () => {
  const sessions = async () => (await site.services.database.read({ sql: 'SELECT id FROM sessions', args: [] })).length;

  test('deletes nothing, and deletions start again a day after the clock is right or is trusted', async () => {
    await site.headers();
    await site.tick();
    site.advance(5 * 365 * day);
    for (let passed = 0; passed < 3; passed += 1) {
      await site.tick();
      site.advance(2 * 60 * minute);
    }
    expect(await sessions()).toBe(1);
    await site.passTime(2 * day);
    expect(await sessions()).toBe(0);
  });

  test('that is set back does not stop deletions for longer than a day', async () => {
    await site.tick();
    site.advance(5 * 365 * day);
    await site.tick();
    site.advance(-5 * 365 * day);
    await site.headers();
    await site.passTime(9 * day);
    expect(await sessions()).toBe(0);
  });
});
