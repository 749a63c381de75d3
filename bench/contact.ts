import autocannon from 'autocannon';
import { anInquiry } from '../tests/support/inquiries.ts';
import { startHostProcess } from '../tests/support/host-process.ts';

/**
 * Measures how many inquiries per second the host stores durably. Each inquiry takes an HTTP request, validation, the
 * spam check, a row, search index entries, two emails in the outbox, and a flush to the disk.
 *
 * `node bench/contact.ts` takes a minute.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 10);

const host = await startHostProcess();
try {
  // Lets Node compile the code before the measurement. A server runs for weeks, so compilation does not count.
  await load(16, 3);
  const rows = [];
  for (const connections of [1, 16, 64]) rows.push(await load(connections, seconds));
  console.table(rows);
} finally {
  await host.stop();
}

async function load(connections: number, duration: number) {
  const result = await autocannon({
    url: `${host.url}/api/contact`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(anInquiry()),
    connections,
    duration,
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests failed`);
  const { p50, p99, max } = result.latency;
  return { connections, 'durable/s': Math.round(result['2xx'] / result.duration), 'p50, ms': p50, 'p99, ms': p99, max };
}
