import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import autocannon from 'autocannon';
import { anInquiry } from '../tests/support/samples/inquiries.ts';
import { type RunningHost, startHostProcess } from '../tests/support/host/host-process.ts';

/**
 * Measures how many inquiries per second the host stores durably. Each inquiry takes an HTTP request, validation, the
 * spam check, a row, search index entries, two emails in the outbox, and a flush to the disk. For comparison, also
 * measures a plain `INSERT` loop on the same tables.
 *
 * `node bench/contact.ts` takes a minute.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 10);

const host = await startHostProcess();
try {
  const bareBefore = bareInserts(join(host.dataDirectory, 'site.db'));
  // Lets Node compile the code before the measurement. A server runs for weeks, so compilation does not count.
  await load(host, 16, 3);
  const rows = [];
  for (const connections of [1, 16, 64]) {
    const result = await load(host, connections, seconds);
    rows.push({ connections, ...figures(result) });
  }
  const bareAfter = bareInserts(join(host.dataDirectory, 'site.db'));
  const bare = (bareBefore + bareAfter) / 2;
  console.log(`bare INSERT loop: ${Math.round(bareBefore)}/s before, ${Math.round(bareAfter)}/s after`);
  console.table(rows.map((row) => ({ ...row, 'of bare, %': Math.round((row['durable/s'] / bare) * 100) })));
} finally {
  await host.stop();
}

/**
 * Inserts inquiries and their two outbox rows, with one commit per inquiry and no other work.
 * @returns inquiries per second.
 */
function bareInserts(file: string): number {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec('PRAGMA synchronous = FULL');
  const inquiry = anInquiry();
  const submissions = database.prepare(
    `INSERT INTO submissions (id, kind, email, fields, status, suspicions, created_at)
     VALUES (?, 'inquiry', ?, ?, 'inbox', '[]', ?)`,
  );
  const outbox = database.prepare(
    `INSERT INTO outbox (id, submission, audience, recipient, created_at, status, due_at)
     VALUES (?1 || '-1', ?1, 'firm', 'inquiry', ?2, 'waiting', ?2), (?1 || '-2', ?1, 'sender', ?1, ?2, 'waiting', ?2)`,
  );
  const began = performance.now();
  let count = 0;
  for (; performance.now() < began + 5_000; count += 1) {
    const id = randomUUID();
    const at = new Date().toISOString();
    database.exec('BEGIN IMMEDIATE');
    submissions.run(id, inquiry.email, JSON.stringify(inquiry), at);
    outbox.run(id, at);
    database.exec('COMMIT');
  }
  database.close();
  return (count / (performance.now() - began)) * 1000;
}

function load({ url }: RunningHost, connections: number, duration: number): Promise<autocannon.Result> {
  return autocannon({
    url: `${url}/api/contact`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(anInquiry()),
    connections,
    duration,
  });
}

function figures(result: autocannon.Result) {
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return {
    'durable/s': Math.round(result['2xx'] / result.duration),
    'p50, ms': result.latency.p50,
    'p99, ms': result.latency.p99,
    'max, ms': result.latency.max,
  };
}
