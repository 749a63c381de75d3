import { mkdir } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { dirname } from 'node:path';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { type Client, createClient } from '@libsql/client/sqlite3';
import { type Database, embeddedDatabase, type Statement, text } from '../netlify/server/db/database.ts';
import { asFault, DatabaseFault } from '../netlify/server/db/fault.ts';
import { logError, logInfo } from '../netlify/server/runtime/log.ts';
import { awaitIdentity, DatabaseGuard, isDiskFull, shareIdentity, sharedIdentity } from './database-guard.ts';
import {
  plainError,
  plainResult,
  type ThreadAnswer,
  type ThreadData,
  type ThreadRequest,
} from './database-protocol.ts';

/*
 * The code of a database thread. The native library blocks its thread while the disk is slow or another program holds a
 * lock, so the thread that answers visitors never calls the library.
 */

/** Milliseconds that one call of the native library waits for a lock. Between calls, the thread reads its messages. */
const busyTimeout = 250;
/** Milliseconds that a write waits for a lock in total. The response to a form must be sent within two seconds. */
const lockWaitMs = 1_000;
const reserveCheckMs = 30_000;

// When the processor is busy, the main thread goes first, because it handles every visitor. Only Linux has a priority
// for each thread; other systems would change that of the whole process.
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + 5));

const { role, file, opened } = workerData as ThreadData;
const port = parentPort!;
const url = pathToFileURL(file).href;
// The first writer of the process accepts any file at the path. All other threads wait until that writer has opened the
// file, and then accept only that file.
if (role !== 'writer') awaitIdentity(opened);
const guard = new DatabaseGuard(file, sharedIdentity(opened));
const clients = new Set<Client>();

function open(): Client {
  const client = createClient({ url, concurrency: 1, timeout: busyTimeout });
  guard.adopt();
  guard.forgetLog();
  clients.add(client);
  return client;
}

type Run = (request: ThreadRequest) => Promise<ThreadAnswer['outcomes']>;

async function writer(): Promise<Run> {
  const database = await embeddedDatabase(open, { lockWaitMs, guard });
  shareIdentity(opened, guard.identity!);
  guard.keepReserve();
  setInterval(() => guard.keepReserve(), reserveCheckMs).unref();
  const outcomeOf = (write: Promise<Parameters<typeof plainResult>[0][]>) =>
    write.then(
      (results) => ({ results: results.map(plainResult) }),
      (error: unknown) => ({ error: plainError(guard.explain(error)) }),
    );
  return async (request) => {
    if (request.kind === 'write') {
      return await Promise.all(request.writes.map((statements) => outcomeOf(database.write(...statements))));
    }
    if (request.kind === 'apply') return [await outcomeOf(database.apply(request.statements).then(() => []))];
    if (request.kind === 'check') return [await outcomeOf(check(database).then(() => []))];
    return [];
  };
}

async function check(database: Database): Promise<void> {
  await database.check();
  if (isDiskFull(file)) throw new DatabaseFault('full');
}

function reader(): Run {
  let client: Client | undefined;
  const opened = async (): Promise<Client> => {
    if (client) return client;
    guard.checkIdentity();
    const made = open();
    for (const pragma of ['query_only = ON', 'cache_size = -4000']) await made.execute(`PRAGMA ${pragma}`);
    return (client = made);
  };
  const read = async (statement: Statement) => {
    try {
      return { results: [plainResult(await (await opened()).execute(statement))] };
    } catch (error) {
      return { error: plainError(guard.explain(asFault(error))) };
    }
  };
  return async (request) => (request.kind === 'read' ? [await read(request.statement)] : []);
}

/** Reads every table and index from the disk to find damage. */
async function inspect(): Promise<void> {
  guard.checkIdentity();
  const client = open();
  try {
    await client.execute('PRAGMA query_only = ON');
    const tables = await client.execute(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')`,
    );
    for (const { name } of tables.rows) {
      const { rows } = await client.execute(`PRAGMA quick_check('${text(name)}')`);
      const said = text(rows[0]?.quick_check);
      if (said !== 'ok') throw new DatabaseFault('corrupt', new Error(said));
      await nextTurn();
    }
  } finally {
    client.close();
  }
}

const began = performance.now();
try {
  if (role === 'inspector') {
    await inspect();
    answer(0, [], began);
    port.close();
  } else {
    const run = role === 'writer' ? await writer() : reader();
    port.on('message', (request: ThreadRequest) => void handle(request, run));
    answer(0, [], began);
  }
} catch (error) {
  answer(0, [{ error: plainError(guard.explain(asFault(error))) }], began);
  port.close();
}

const running = new Set<Promise<unknown>>();

async function handle(request: ThreadRequest, run: Run): Promise<void> {
  if (request.kind === 'close') {
    await Promise.all(running);
    for (const client of clients) client.close();
    port.close();
    return;
  }
  const start = performance.now();
  const work = run(request);
  running.add(work);
  const outcomes = await work.finally(() => running.delete(work));
  if (role === 'writer' && outcomes.some((one) => 'error' in one && one.error.fault === 'deleted')) await rescue();
  answer(request.id, outcomes, start);
}

let rescued: Promise<void> | undefined;

/**
 * Saves the content of a deleted database file. The system keeps the content only while this process has the file open.
 */
function rescue(): Promise<void> {
  rescued ??= (async () => {
    const client = [...clients].findLast(({ closed }) => !closed);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const name = `${file}.rescued-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await client?.execute({ sql: 'VACUUM INTO ?', args: [name] });
    logInfo('database file deleted, content saved', { file: name });
  })().catch((error: unknown) => logError('database file deleted, content not saved', {}, error));
  return rescued;
}

function answer(id: number, outcomes: ThreadAnswer['outcomes'], start: number): void {
  port.postMessage({ id, outcomes, took: performance.now() - start } satisfies ThreadAnswer);
}
