import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@libsql/client';
import { expect, test } from 'vitest';
import { text } from '../../netlify/server/db/database.ts';
import { type RunningHost, startHostProcess } from '../support/host-process.ts';
import { anInquiry } from '../support/inquiries.ts';
import { sizeOf } from '../support/faults.ts';
import { startMailServer } from '../support/mail-server.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/**
 * At its start, a host's clock shows this many milliseconds before a full minute. The scheduled work runs at the full
 * minute, so a test sends its requests before then.
 */
const leadMs = sizeOf(15_000, 30_000);

interface ClockHost extends RunningHost {
  readonly database: Client;
  readonly offsetFile: string;
  /** Changes the clock of the host by this number of milliseconds, shortly before the host's next scheduled run. */
  setClock(byMs: number): Promise<void>;
}

async function withClockHost(
  variables: Record<string, string>,
  run: (host: ClockHost) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clock-'));
  const file = join(folder, 'offset');
  const began = Date.now();
  const offset = minute - leadMs - (began % minute);
  await writeFile(file, String(offset));
  const preload = pathToFileURL('tests/support/shifted-clock.ts').href;
  const host = await startHostProcess(undefined, {
    ...variables,
    CLOCK_OFFSET_FILE: file,
    NODE_OPTIONS: `--import=${preload}`,
  });
  const url = pathToFileURL(join(host.dataDirectory, 'site.db')).href;
  const database = createClient({ url, timeout: 10_000 });
  try {
    await run({
      ...host,
      database,
      offsetFile: file,
      async setClock(byMs) {
        await sleep(Math.max(0, began + leadMs - 2_000 - Date.now()));
        // After the clock is set back, the host's timer still fires at the former full minute. The host then waits for
        // the next full minute of the changed clock. Three more seconds back shorten this wait from 60 to 3 seconds.
        await writeFile(file, String(offset + byMs - (byMs < 0 ? 3_000 : 0)));
        process.kill(host.pid, 'SIGUSR2');
      },
    });
  } finally {
    database.close();
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const lastRun = `SELECT at FROM installation WHERE name = 'jobs'`;

/** Waits for a scheduled run that begins after this call. */
async function nextRun(database: Client): Promise<void> {
  const last = async () => (await database.execute(lastRun)).rows[0]?.at ?? '';
  const before = await last();
  await expect.poll(last, { timeout: 130_000, interval: 200 }).not.toBe(before);
}

test('a clock that is set back by 400 days delays no email and loses no inquiry', async () => {
  const mail = await startMailServer();
  mail.fail('temporary', 2);
  const variables = { SMTP_URL: mail.url, MAIL_FROM: 'no-reply@firm.example', CONTACT_EMAIL: 'sales@firm.example' };
  try {
    await withClockHost(variables, async (host) => {
      const answer = await fetch(`${host.url}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(anInquiry()),
      });
      expect(answer.status).toBe(201);
      await expect.poll(() => mail.refused.length).toBe(2);
      mail.fail(null);
      await host.setClock(-400 * day);
      await expect.poll(() => mail.messages.length, { timeout: 130_000, interval: 200 }).toBe(2);
    });
  } finally {
    await mail.close();
  }
}, 200_000);

test('a clock that jumps five years ahead erases no application and announces no deletion', async () => {
  await withClockHost({}, async (host) => {
    const at = new Date(Date.now() - 400 * day).toISOString();
    await host.database.execute({
      sql: `INSERT INTO submissions (id, kind, email, fields, resume, status, suspicions, created_at)
            VALUES ('a', 'application', 'mara@quill.example', '{}', '{}', 'quarantine', '[]', ?)`,
      args: [at],
    });
    await nextRun(host.database);
    const ran = nextRun(host.database);
    await writeFile(host.offsetFile, String(5 * 365 * day));
    process.kill(host.pid, 'SIGUSR2');
    await ran;
    const lastAt = Date.parse(text((await host.database.execute(lastRun)).rows[0]?.at));
    expect(lastAt).toBeGreaterThan(Date.now() + 4 * 365 * day);
    expect((await host.database.execute('SELECT id, delete_at FROM submissions')).rows).toMatchObject([
      { id: 'a', delete_at: null },
    ]);
  });
}, 200_000);
