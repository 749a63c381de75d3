import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import contact from '../../../netlify/functions/contact.ts';
import { connect } from '../../../netlify/server/db/open.ts';
import { sql } from '../../../netlify/server/db/database.ts';
import { runScheduledWork } from '../../../netlify/server/jobs.ts';
import { migrate } from '../../../netlify/server/db/migrate.ts';
import { readEnv } from '../../../netlify/server/env.ts';
import { type Services, servicesOf } from '../../../netlify/server/services.ts';
import { takeLog } from '../../support/console.ts';
import { type HranaServer, startHranaServer } from '../../support/servers/hrana-server.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { type TestServices, call, testServices } from '../../support/api/services.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

makeFolders();
let server: HranaServer;
let local: TestServices;
let services: Services;
beforeEach(async () => {
  server = await startHranaServer({ path: join(folder, 'remote.db'), authToken: 'secret' });
  local = await testServices();
  const env = readEnv({ LIBSQL_URL: server.url, LIBSQL_AUTH_TOKEN: 'secret', SESSION_SECRET: 'x'.repeat(32) });
  const database = await connect(env);
  await migrate(database);
  services = servicesOf(env, database, local.blobs);
});
afterEach(async () => {
  services.database.close();
  await server.close();
  await local.close();
});

const send = (key: string) =>
  call(contact, '/api/contact', services, { json: anInquiry(), headers: { 'idempotency-key': key } });
const inbox = async () =>
  (
    await services.stores.submissions.list('inquiry', {
      q: 'whitfield',
      sort: '-createdAt',
      limit: 50,
      status: 'inbox',
    })
  ).data;

describe('On a libSQL server', () => {
  test.for([
    { kind: 'cut', when: 'before' },
    { kind: 'cut', when: 'after' },
    { kind: 'refuse' },
    { kind: 'hang' },
  ] as const)(
    'that fails (%j), the visitor still sees a success, and the inquiry is there once when the server is back',
    async (fault) => {
      await server.setFault(fault);
      const response = await send('b');
      expect(response.status).toBe(201);
      await server.setFault(null);
      await runScheduledWork(services);
      expect((await inbox()).map((inquiry) => inquiry.id)).toEqual([(await response.json()).id]);
      expect(takeLog().join()).toMatch(/waits in the file storage/);
    },
  );

  test('a form gets a response although the server is slow, and a late commit and a waiting copy are one inquiry with two emails', async () => {
    await server.setFault({ kind: 'hold', matching: /INSERT INTO submissions/ });
    const response = await send('late');
    expect(response.status).toBe(201);
    expect(takeLog().join()).toMatch(/waits in the file storage/);
    expect(await services.stores.spool.keys()).toHaveLength(1);
    expect(await inbox()).toEqual([]);
    await server.setFault(null);
    await expect.poll(async () => (await inbox()).length).toBe(1);
    await runScheduledWork(services);
    expect(await services.stores.spool.keys()).toEqual([]);
    expect((await inbox()).map((inquiry) => inquiry.id)).toEqual([(await response.json()).id]);
    const mails = await services.database.read(sql`SELECT audience FROM outbox ORDER BY audience`);
    expect(mails).toMatchObject([{ audience: 'firm' }, { audience: 'sender' }]);
  });

  test('a read with a lost connection is repeated once', async () => {
    await send('c');
    const before = server.requests;
    await server.setFault({ kind: 'cut', when: 'before' });
    const reading = services.stores.submissions.counts('inquiry', '2026-03-02T18:30:00.000Z');
    reading.catch(() => undefined);
    await expect.poll(() => server.requests, { interval: 1 }).toBe(before + 1);
    await server.setFault(null);
    await reading;
    await server.setFault({ kind: 'cut', when: 'before' });
    await expect(services.stores.admins.first()).rejects.toMatchObject({ fault: 'unreachable' });
    expect(server.requests).toBe(before + 4);
  });
});
