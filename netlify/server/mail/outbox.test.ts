import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInThisThread } from '../../../host/data/sqlite.ts';
import { type Database, type Statement, text } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { type Channel, outboxStore } from './outbox.ts';

let directory: string;
let database: Database;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'outbox-test-'));
  database = openInThisThread(join(directory, 'site.db'));
  await migrate(database);
});
afterAll(async () => {
  database.close();
  await rm(directory, { recursive: true, force: true });
});

/** Runs work on the outbox, and returns the query plans of its statements. */
async function stepsOf(work: (store: ReturnType<typeof outboxStore>) => Promise<unknown>): Promise<string[]> {
  const asked: Statement[] = [];
  const listening: Database = {
    ...database,
    read: (statement) => (asked.push(statement), database.read(statement)),
    write: (...statements) => (asked.push(...statements), database.write(...statements)),
  };
  await work(outboxStore(listening));
  const plans = await Promise.all(
    asked.map((statement) => database.read({ ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` })),
  );
  return plans.flat().map((row) => text(row['detail']));
}

const time = '2026-03-02T18:30:00.000Z';

test.for(['mail', 'webhook'] as const satisfies Channel[])(
  'A query for due messages by %s does not scan sent messages or messages of the other channel',
  async (channel) => {
    const due = `outbox_${channel}_due`;
    const steps = await stepsOf(async (store) => {
      await store.take(channel, time, time, 10);
      await store.state(channel, new Date(time));
      if (channel === 'mail') await store.queueFailedMail(time);
      await store.sent(channel, [], time);
    });
    const found = steps.filter((step) => /\boutbox\b/.test(step) && !/rowid=|\(id=|autoindex/.test(step));
    expect(found.length).toBeGreaterThanOrEqual(4);
    for (const step of found) expect(step).toMatch(new RegExp(`USING (COVERING )?INDEX (${due}|outbox_given_up)`));
    expect(steps.filter((step) => step.includes(due)).length).toBeGreaterThanOrEqual(3);
  },
);
