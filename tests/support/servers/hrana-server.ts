import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';

/**
 * The current fault of the server.
 * - `delay`: responses are delayed by `ms`.
 * - `cut`: the connection breaks before or after the statements run. The client cannot know which.
 * - `refuse`: the port is closed.
 * - `hang`: requests get no response.
 * - `hold`: requests wait until the fault ends, and then run.
 *
 * `matching` limits a fault to requests with matching SQL, and `once` to the first of these.
 */
type Fault =
  | { kind: 'delay'; ms: number; matching?: RegExp }
  | { kind: 'cut'; when: 'before' | 'after'; matching?: RegExp; once?: true }
  | { kind: 'hang' | 'hold'; matching?: RegExp }
  | { kind: 'refuse' };

export type HranaServer = Awaited<ReturnType<typeof startHranaServer>>;

/**
 * The parts of Hrana 2 (libSQL's protocol over HTTP) that the client's `execute` and `batch` use. Each request is a
 * separate stream.
 */
type Value =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string };
interface Stmt {
  sql?: string;
  sql_id?: number;
  args?: Value[];
}
type Condition = { type: 'ok'; step: number } | { type: 'not'; cond: Condition };
type StreamRequest =
  | { type: 'execute'; stmt: Stmt }
  | { type: 'batch'; batch: { steps: { condition?: Condition | null; stmt: Stmt }[] } }
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'close' };

/**
 * Serves a real libSQL database over HTTP, and simulates faults.
 * @param options.authToken required from clients as a bearer token.
 */
export async function startHranaServer(options: { path: string; authToken?: string }) {
  const db = new Database(options.path);
  db.exec('PRAGMA journal_mode=WAL');
  let fault: Fault | null = null;
  let requests = 0;
  let faulty = 0;
  let release = Promise.withResolvers<void>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    const body = await text(request);
    const struck = fault && (!('matching' in fault) || !fault.matching || fault.matching.test(body)) ? fault : null;
    if (struck) faulty += 1;
    if (struck?.kind === 'cut' && struck.once) fault = null;
    if (struck?.kind === 'hang') return;
    if (struck?.kind === 'hold') await release.promise;
    if (struck?.kind === 'delay') await sleep(struck.ms, undefined, { ref: false });
    if (struck?.kind === 'cut' && struck.when === 'before') return void request.socket.destroy();
    if (options.authToken !== undefined && request.headers.authorization !== `Bearer ${options.authToken}`) {
      return void response.writeHead(401).end('Authentication failed');
    }
    // Answers 404 when the client asks whether the server supports a newer protocol.
    if (request.url !== '/v2/pipeline') return void response.writeHead(404).end();
    const answer = pipeline(db, (JSON.parse(body) as { requests: StreamRequest[] }).requests);
    if (struck?.kind === 'cut') request.socket.destroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const stopped = once(server.close(), 'close');
    server.closeAllConnections();
    await stopped;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  return {
    /** For `createClient` of `@libsql/client/http`. */
    url: `http://127.0.0.1:${port}`,
    /** The number of requests since the start, including failed ones. */
    get requests() {
      return requests;
    },
    /** The number of requests that met a fault. */
    get struck() {
      return faulty;
    },
    async setFault(next: Fault | null) {
      fault = next;
      release.resolve();
      release = Promise.withResolvers();
      if (next?.kind === 'refuse') await stop();
      else if (!server.listening) await listen(port);
    },
    async close() {
      await stop();
      db.close();
    },
  };
}

/** Runs the requests of one stream without a pause, so no other stream runs between the statements of a transaction. */
function pipeline(db: Database.Database, requests: readonly StreamRequest[]): object {
  const stored = new Map<number, string>();
  const run = ({ sql, sql_id, args = [] }: Stmt) => execute(db, sql ?? stored.get(sql_id ?? -1) ?? '', args);
  const answerOf = (request: StreamRequest): object => {
    if (request.type === 'store_sql') stored.set(request.sql_id, request.sql);
    if (request.type === 'execute') return { result: run(request.stmt) };
    if (request.type !== 'batch') return {};
    const outcomes: { result: object | null; error: object | null }[] = [];
    const holds = (condition: Condition): boolean =>
      condition.type === 'not' ? !holds(condition.cond) : (outcomes[condition.step]?.result ?? null) !== null;
    for (const { condition, stmt } of request.batch.steps) {
      if (condition && !holds(condition)) outcomes.push({ result: null, error: null });
      else outcomes.push(attempt(() => run(stmt)));
    }
    return {
      result: { step_results: outcomes.map(({ result }) => result), step_errors: outcomes.map(({ error }) => error) },
    };
  };
  const results = requests.map((request) => {
    const { result, error } = attempt(() => answerOf(request));
    return error ? { type: 'error', error } : { type: 'ok', response: { type: request.type, ...result } };
  });
  return { baton: null, base_url: null, results };
}

/** Runs a statement. Like a real server, reports only the primary code of an error, such as `SQLITE_CONSTRAINT`. */
function attempt<T>(run: () => T): { result: T | null; error: object | null } {
  try {
    return { result: run(), error: null };
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string };
    return { result: null, error: { message, code: /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? 'SQLITE_ERROR' } };
  }
}

function execute(db: Database.Database, sql: string, args: readonly Value[]) {
  const prepared = db.prepare<unknown[]>(sql).safeIntegers(true);
  const before = countersOf(db);
  const values = args.map(toEngine);
  const rows = prepared.reader ? (prepared.raw(true).all(values) as unknown[][]) : [];
  if (!prepared.reader) prepared.run(values);
  const after = countersOf(db);
  return {
    cols: prepared.reader ? prepared.columns().map(({ name, type }) => ({ name, decltype: type })) : [],
    rows: rows.map((row) => row.map(fromEngine)),
    affected_row_count: after.total > before.total ? Number(after.changes) : 0,
    last_insert_rowid: String(after.rowid),
  };
}

function countersOf(db: Database.Database) {
  const counters = db.prepare('SELECT total_changes(), changes(), last_insert_rowid()').raw(true).safeIntegers(true);
  const [total, changes, rowid] = counters.get() as [bigint, bigint, bigint];
  return { total, changes, rowid };
}

function toEngine(value: Value): unknown {
  if (value.type === 'null') return null;
  if (value.type === 'integer') return BigInt(value.value);
  return value.type === 'blob' ? Buffer.from(value.base64, 'base64') : value.value;
}

function fromEngine(value: unknown): Value {
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) };
  if (typeof value === 'number') return { type: 'float', value };
  if (typeof value === 'string') return { type: 'text', value };
  return value instanceof Uint8Array
    ? { type: 'blob', base64: Buffer.from(value).toString('base64') }
    : { type: 'null' };
}
