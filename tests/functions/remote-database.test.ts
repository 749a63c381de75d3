import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import contact from '../../netlify/functions/contact.ts';
import everyMinute from '../../netlify/functions/every-minute.ts';
import { connect } from '../../netlify/server/db/connect.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { readEnv } from '../../netlify/server/env.ts';
import { type Services, servicesOf } from '../../netlify/server/services.ts';
import { takeLog } from '../support/console.ts';
import { type HranaServer, startHranaServer } from '../support/hrana-server.ts';
import { anInquiry } from '../support/inquiries.ts';
import { type TestServices, call, testServices } from '../support/services.ts';

let directory: string;
let server: HranaServer;
let local: TestServices;
let services: Services;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'remote-test-'));
  server = await startHranaServer({ path: join(directory, 'remote.db'), authToken: 'secret' });
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
  await rm(directory, { recursive: true, force: true });
});

const send = (key: string) =>
  call(contact, '/api/contact', services, { json: anInquiry(), headers: { 'idempotency-key': key } });
const inbox = async () =>
  (await services.stores.inquiries.list({ q: 'whitfield', sort: '-createdAt', limit: 50, status: 'inbox' })).data;

describe('On a libSQL server', () => {
  test('instances that start together migrate once', async () => {
    const other = await connect(services.env);
    expect(await Promise.all([migrate(services.database), migrate(other)])).toEqual([[], []]);
    other.close();
  });

  test('an inquiry is stored once, found again, and its mail is due', async () => {
    const [first, second] = await Promise.all([send('a'), send('a')]);
    expect(await first.json()).toEqual(await second.json());
    expect(await inbox()).toMatchObject([{ company: 'Whitfield Foods', delivery: { firm: { status: 'waiting' } } }]);
  });

  test.for([
    { kind: 'cut', when: 'before' },
    { kind: 'cut', when: 'after' },
    { kind: 'refuse' },
    { kind: 'hang' },
  ] as const)(
    'that fails (%j) the visitor still succeeds, and the inquiry is there once when it returns',
    async (fault) => {
      await server.setFault(fault);
      const response = await send('b');
      expect(response.status).toBe(201);
      await server.setFault(null);
      await everyMinute(new Request('http://site.test'), {} as never, services);
      expect((await inbox()).map((inquiry) => inquiry.id)).toEqual([(await response.json()).id]);
      expect(takeLog().join()).toMatch(/waits in the blob store/);
    },
  );
});
