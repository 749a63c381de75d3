import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import {
  describe,
  errorAnswer,
  execute,
  HranaError,
  rawCodeOf,
  writes,
  type Condition,
  type PipelineRequest,
  type Stmt,
  type StmtResult,
  type StreamRequest,
} from './hrana-protocol.ts';

/**
 * What goes wrong, until it is set to something else.
 * - `delay`: answers come late by `ms`.
 * - `cut`: the connection is broken off, `before` the statements run or `after`, when the client cannot know.
 * - `refuse`: nobody listens on the port.
 * - `hang`: requests are taken and never answered.
 *
 * `matching` limits a fault to requests with such SQL in them.
 */
type Fault =
  | { kind: 'delay'; ms: number; matching?: RegExp }
  | { kind: 'cut'; when: 'before' | 'after'; matching?: RegExp }
  | { kind: 'hang'; matching?: RegExp }
  | { kind: 'refuse' };

export interface HranaServerOptions {
  /** The database file. */
  path: string;
  /** Required as a bearer token where given. */
  authToken?: string;
  /** An interactive transaction that nobody continues for this long is rolled back and forgotten. */
  streamExpiryMs?: number;
  /** How long a statement waits for another stream's lock. */
  busyTimeoutMs?: number;
}

export interface HranaServer {
  /** `http://127.0.0.1:port`, for `createClient` of `@libsql/client/http`. */
  readonly url: string;
  /** Requests taken since the start, faults included. */
  readonly requests: number;
  /** Interactive streams that are open now. */
  readonly openStreams: number;
  setFault(fault: Fault | null): Promise<void>;
  close(): Promise<void>;
}

interface Stream {
  readonly db: Database.Database;
  /** It holds the lock on writing, until its transaction ends. */
  writing: boolean;
  readonly sqls: Map<number, string>;
  expiry?: NodeJS.Timeout;
}

/** A real libSQL database behind Hrana over HTTP, as Turso or sqld serve it, that can be made to fail. */
export async function startHranaServer(options: HranaServerOptions): Promise<HranaServer> {
  const { path, authToken, streamExpiryMs = 10_000, busyTimeoutMs = 5_000 } = options;
  const streams = new Map<string, Stream>();
  let fault: Fault | null = null;
  let requests = 0;

  /** Finds out whether the lock on writing is free. */
  const probe = new Database(path);
  probe.exec('PRAGMA journal_mode=WAL');

  function forget(stream: Stream): void {
    clearTimeout(stream.expiry);
    if (stream.db.inTransaction) stream.db.exec('ROLLBACK');
    stream.db.close();
  }

  /** Every answer gives a new baton; the old one is void. */
  function park(stream: Stream): string {
    const baton = randomUUID();
    streams.set(baton, stream);
    stream.expiry = setTimeout(() => {
      streams.delete(baton);
      forget(stream);
    }, streamExpiryMs);
    return baton;
  }

  function take(baton: string | null | undefined): Stream {
    if (!baton) return { db: new Database(path), sqls: new Map(), writing: false };
    const stream = streams.get(baton);
    if (!stream) throw new HranaError('The stream has expired due to inactivity', 'STREAM_EXPIRED');
    streams.delete(baton);
    clearTimeout(stream.expiry);
    return stream;
  }

  /**
   * Runs SQL as soon as nobody else is writing. The engine is synchronous, so waiting inside it would stop the stream that
   * holds the lock; and a statement that the engine refused as busy stays open and keeps the next one from committing.
   */
  async function patiently<T>(stream: Stream, sql: string, run: () => T): Promise<T> {
    const needsLock = writes(sql);
    const deadline = performance.now() + busyTimeoutMs;
    while (needsLock && !stream.writing) {
      try {
        probe.exec('BEGIN IMMEDIATE; ROLLBACK');
        break;
      } catch (error) {
        if (rawCodeOf(error) !== 5 || performance.now() > deadline) throw error;
        await sleep(5);
      }
    }
    try {
      return run();
    } finally {
      stream.writing = stream.db.inTransaction && (stream.writing || needsLock);
    }
  }

  function sqlOf(stream: Stream, { sql, sql_id }: { sql?: string; sql_id?: number }): string {
    const text = sql ?? (sql_id === undefined ? undefined : stream.sqls.get(sql_id));
    if (text === undefined) throw new HranaError(`SQL text with id ${sql_id} was not found`, 'SQL_NOT_FOUND');
    return text;
  }

  async function runStmt(stream: Stream, stmt: Stmt): Promise<StmtResult> {
    const sql = sqlOf(stream, stmt);
    return patiently(stream, sql, () => execute(stream.db, stmt, sql));
  }

  async function answer(stream: Stream, request: StreamRequest): Promise<object> {
    switch (request.type) {
      case 'close':
      case 'store_sql':
      case 'close_sql':
        if (request.type === 'store_sql') stream.sqls.set(request.sql_id, request.sql);
        if (request.type === 'close_sql') stream.sqls.delete(request.sql_id);
        return {};
      case 'execute':
        return { result: await runStmt(stream, request.stmt) };
      case 'batch':
        return { result: await runBatch(stream, request.batch.steps) };
      case 'sequence': {
        const sql = sqlOf(stream, request);
        await patiently(stream, sql, () => stream.db.exec(sql));
        return {};
      }
      case 'describe':
        return { result: describe(stream.db, sqlOf(stream, request)) };
      case 'get_autocommit':
        return { is_autocommit: !stream.db.inTransaction };
    }
  }

  async function runBatch(stream: Stream, steps: { condition?: Condition | null; stmt: Stmt }[]) {
    const results: (StmtResult | null)[] = [];
    const errors: (object | null)[] = [];
    const holds = (condition: Condition): boolean => {
      switch (condition.type) {
        case 'ok':
          return (results[condition.step] ?? null) !== null;
        case 'error':
          return (errors[condition.step] ?? null) !== null;
        case 'not':
          return !holds(condition.cond);
        case 'and':
          return condition.conds.every(holds);
        case 'or':
          return condition.conds.some(holds);
        case 'is_autocommit':
          return !stream.db.inTransaction;
      }
    };
    for (const [index, { condition, stmt }] of steps.entries()) {
      results[index] = null;
      errors[index] = null;
      if (condition && !holds(condition)) continue;
      try {
        results[index] = await runStmt(stream, stmt);
      } catch (error) {
        errors[index] = errorAnswer(error);
      }
    }
    return { step_results: results, step_errors: errors };
  }

  async function pipeline(body: PipelineRequest): Promise<object> {
    const stream = take(body.baton);
    const results: object[] = [];
    for (const request of body.requests) {
      try {
        results.push({ type: 'ok', response: { type: request.type, ...(await answer(stream, request)) } });
      } catch (error) {
        results.push({ type: 'error', error: errorAnswer(error) });
      }
    }
    const closed = body.requests.some((request) => request.type === 'close');
    if (closed) forget(stream);
    return { baton: closed ? null : park(stream), base_url: null, results };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    requests += 1;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;

    const now = fault;
    const struck = now && (!('matching' in now) || !now.matching || now.matching.test(body)) ? now : null;
    if (struck?.kind === 'hang') return;
    if (struck?.kind === 'delay') await sleep(struck.ms, undefined, { ref: false });
    if (struck?.kind === 'cut' && struck.when === 'before') return void request.socket.destroy();

    const address = request.url ?? '';
    if (request.method === 'GET' && /^\/(health|v2|v3)$/.test(address)) return reply(200, 'text/plain', '');
    if (authToken !== undefined && request.headers.authorization !== `Bearer ${authToken}`) {
      return reply(401, 'text/plain', 'Authentication failed');
    }
    if (request.method !== 'POST' || !/^\/v[23]\/pipeline$/.test(address)) return reply(404, 'text/plain', 'Not found');
    let status = 200;
    let answerBody: object;
    try {
      answerBody = await pipeline(JSON.parse(body) as PipelineRequest);
    } catch (error) {
      status = 400;
      answerBody = errorAnswer(error);
    }
    if (struck?.kind === 'cut') request.socket.destroy();
    else reply(status, 'application/json', JSON.stringify(answerBody));
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  async function stop(): Promise<void> {
    if (!server.listening) return;
    const stopped = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await stopped;
  }

  await listen(0);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    get openStreams() {
      return streams.size;
    },
    async setFault(next) {
      fault = next;
      if (next?.kind === 'refuse') await stop();
      else if (!server.listening) await listen(port);
    },
    async close() {
      await stop();
      for (const stream of streams.values()) forget(stream);
      streams.clear();
      probe.close();
    },
  };
}
