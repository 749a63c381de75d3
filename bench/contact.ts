import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import autocannon from 'autocannon';
import { anInquiry } from '../tests/support/inquiries.ts';
import { type RunningHost, startHostProcess } from '../tests/support/host-process.ts';

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
  const bareBefore = await bareInserts(join(host.dataDirectory, 'site.db'));
  // Lets Node compile the code before the measurement. A server runs for weeks, so compilation does not count.
  await load(host, 16, 3);
  const rows = [];
  for (const connections of [1, 16, 64]) {
    const result = await load(host, connections, seconds);
    rows.push({ connections, ...figures(result) });
  }
  const bareAfter = await bareInserts(join(host.dataDirectory, 'site.db'));
  const bare = (bareBefore.rate + bareAfter.rate) / 2;
  for (const [when, { rate, p99, max }] of Object.entries({ before: bareBefore, after: bareAfter })) {
    console.log(`bare INSERT loop ${when}: ${Math.round(rate)}/s, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms`);
  }
  console.table(rows.map((row) => ({ ...row, 'of bare, %': Math.round((row['durable/s'] / bare) * 100) })));
} finally {
  await host.stop();
}

/**
 * Inserts inquiries and their two outbox rows, with one commit per inquiry and no other work.
 * @returns inquiries per second, and the 99th percentile and maximum time of one commit in milliseconds.
 */
async function bareInserts(file: string): Promise<{ rate: number; p99: number; max: number }> {
  const client = createClient({ url: `file:${file}`, concurrency: 1, timeout: 5_000 });
  await client.execute('PRAGMA synchronous = FULL');
  const { fullName, email, company, serviceInterest, message } = anInquiry();
  const until = performance.now() + 5_000;
  const start = performance.now();
  const took: number[] = [];
  while (performance.now() < until) {
    const begun = performance.now();
    const id = randomUUID();
    const at = new Date().toISOString();
    await client.batch(
      [
        {
          sql: `INSERT INTO outbox (kind, id, audience, status, due_at)
                VALUES ('inquiry', ?1, 'firm', 'waiting', ?2), ('inquiry', ?1, 'sender', 'waiting', ?2)`,
          args: [id, at],
        },
        {
          sql: `INSERT INTO inquiries (id, full_name, email, company, service_interest, message, status, suspicions, created_at)
                VALUES (?, ?, ?, ?, ?, ?, 'inbox', '[]', ?)`,
          args: [id, fullName, email, company, serviceInterest, message, at],
        },
      ],
      'write',
    );
    took.push(performance.now() - begun);
  }
  const rate = (took.length / (performance.now() - start)) * 1000;
  client.close();
  took.sort((a, b) => a - b);
  return { rate, p99: took[Math.floor(took.length * 0.99)] ?? 0, max: took.at(-1) ?? 0 };
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
