import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '@netlify/functions';
import { openBlobs } from '../../../host/data/blobs.ts';
import { openInThisThread } from '../../../host/data/sqlite.ts';
import { sql } from '../../../netlify/server/db/database.ts';
import { migrate } from '../../../netlify/server/db/migrate.ts';
import { readEnv } from '../../../netlify/server/env.ts';
import type { Handler } from '../../../netlify/server/http/endpoint.ts';
import { runScheduledWork } from '../../../netlify/server/jobs.ts';
import { type Services, servicesOf } from '../../../netlify/server/services.ts';
import { checkAnswer } from './api-answers.ts';
import { quickCost } from './passwords.ts';

export type TestServices = Awaited<ReturnType<typeof testServices>>;

const secret = 'a secret of the tests, long enough';

let made: Promise<string> | undefined;

/** Returns a migrated database file to copy. It is made once per process, because each migration waits for the disk. */
export const migratedFile = (): Promise<string> => (made ??= makeMigratedFile());

async function makeMigratedFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'migrated-'));
  const file = join(directory, 'migrated.db');
  const database = openInThisThread(join(directory, 'site.db'));
  await migrate(database);
  // Writes one complete file, which tests can copy. In `site.db`, recent changes may be only in the write-ahead log.
  await database.read(sql`VACUUM INTO ${file}`);
  database.close();
  // Stores the journal mode in the file, so that a copy does not write it again.
  openInThisThread(file).close();
  return file;
}

/** Creates services with a migrated database file, a blob folder, and a clock that only `advance` changes. */
export async function testServices(variables: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'site-test-'));
  await copyFile(await migratedFile(), join(directory, 'site.db'));
  const database = openInThisThread(join(directory, 'site.db'));
  // These tests lose no power, and each commit would wait for the disk.
  await database.read({ sql: 'PRAGMA synchronous = OFF', args: [] });
  const blobs = await openBlobs(join(directory, 'blobs'));
  let now = Date.parse('2026-03-02T18:30:00.000Z');
  const env = readEnv({ SESSION_SECRET: secret, ...variables });
  const services = servicesOf(env, database, blobs, () => new Date(now), undefined, quickCost);
  return {
    services,
    advance: (ms: number) => {
      now += ms;
    },
    /** Opens a blob store in the blob folder of these services. */
    blobs,
    close: async () => {
      services.mailer.close();
      database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Advances the clock and runs the scheduled work. The last three days pass in steps of at most a day, because the site
 * deletes nothing for a day after a jump of the clock.
 */
export async function passTime({ services, advance }: TestServices, ms: number): Promise<void> {
  const day = 24 * 60 * 60_000;
  for (let left = ms; left > 0;) {
    const step = left > 3 * day ? left - 3 * day : Math.min(left, day);
    advance(step);
    await runScheduledWork(services);
    left -= step;
  }
}

export interface Sent {
  readonly method?: string;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  readonly address?: string;
  /** The deploy that answers; by default that of a local server. */
  readonly deploy?: Context['deploy'];
}

/**
 * Calls a function as a host does, and waits for its background work.
 * @param services by default those of the lent platform.
 * @throws if the response does not match the API document.
 */
export async function call(handler: Handler, path: string, services?: Services, sent: Sent = {}): Promise<Response> {
  const headers = new Headers(sent.headers);
  let body: string | Uint8Array<ArrayBuffer> | URLSearchParams | undefined = sent.body;
  if (sent.json !== undefined) {
    body = JSON.stringify(sent.json);
    headers.set('content-type', 'application/json');
  } else if (sent.form) {
    body = new URLSearchParams(sent.form);
    if (!headers.has('accept')) headers.set('accept', 'text/html,application/xhtml+xml');
  }
  const request = new Request(new URL(path, 'http://site.test'), {
    method: sent.method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body !== undefined && { body }),
  });
  const pending: Promise<unknown>[] = [];
  const context = {
    ip: sent.address ?? '192.0.2.1',
    requestId: 'test-request',
    deploy: sent.deploy ?? { context: 'dev', id: 'test', published: false },
    waitUntil: (work: Promise<unknown>) => pending.push(work),
  } as unknown as Context;
  const response = await handler(request, context, services);
  await checkAnswer(handler, request, response);
  await Promise.all(pending);
  return response;
}
