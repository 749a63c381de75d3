import { getPriority, setPriority } from 'node:os';
import process from 'node:process';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Result, Statement } from '../../netlify/server/db/database.ts';
import { type DatabaseFault, isDatabaseFault } from '../../netlify/server/db/fault.ts';
import { SqliteFile } from './sqlite.ts';

/*
 * The code of a database thread. SQLite blocks its thread while the disk is slow or another program holds a lock, so the
 * thread that answers visitors never calls SQLite.
 */

/** The `workerData` of a thread. */
export interface ThreadData {
  readonly role: 'writer' | 'reader';
  readonly file: string;
  /** False if the file must exist, because this process had opened it before. */
  readonly create: boolean;
}

export interface Request {
  readonly id: number;
  /** One statement for a reader. The writer runs all statements of a request in one transaction. */
  readonly statements: readonly Statement[];
}

/** On `close`, a thread finishes its requests and ends. */
type Message = Request | 'close';

/** What a request returned. `fault` is null if the statement is wrong and not the database. */
export type Outcome =
  { readonly results: Result[] } | { readonly error: unknown; readonly fault: DatabaseFault['fault'] | null };

/** The outcomes of requests. The first message of a thread has the id 0 and says whether the thread could start. */
export type Answers = readonly { readonly id: number; readonly outcome: Outcome }[];

/** Milliseconds that a write waits for a lock. The response to a form must be sent within two seconds. */
const lockWaitMs = 1_000;
/** Writes that have arrived by the time of a commit share it, because each commit waits for the disk. */
const largestGroup = 128;
/** Milliseconds without a write after which the write-ahead log is copied into the database file. */
const quietMs = 1_000;

// When the processor is busy, the main thread goes first, because it handles every visitor. Only Linux has a priority
// for each thread; other systems would change that of the whole process.
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + 5));

const { role, file, create } = workerData as ThreadData;
const isWriter = role === 'writer';
const port = parentPort!;
let opened: SqliteFile | undefined;
let quiet: NodeJS.Timeout | undefined;

// A reader opens the file at its first read, because the writer may still be creating the file.
const database = () => (opened ??= new SqliteFile(file, { lockWaitMs, create, readOnly: !isWriter }));

function outcomeOf(work: () => Result[]): Outcome {
  try {
    return { results: work() };
  } catch (error) {
    // A message would lose the class of a DatabaseFault.
    return isDatabaseFault(error) ? { error: error.cause, fault: error.fault } : { error, fault: null };
  }
}

function answer(group: readonly Request[]): void {
  const statements = group.flatMap((request) => request.statements);
  const outcome = outcomeOf(() => (isWriter ? database().write(statements) : [database().read(statements[0]!)]));
  // One invalid statement rolled back the transaction of the whole group, so each write is tried alone.
  if (group.length > 1 && 'error' in outcome && outcome.fault === null) return group.forEach((one) => answer([one]));
  let next = 0;
  const answers = group.map(({ id, statements: { length } }) => {
    if ('error' in outcome) return { id, outcome };
    return { id, outcome: { results: outcome.results.slice(next, (next += length)) } };
  });
  port.postMessage(answers satisfies Answers);
}

function checkpoint(): void {
  try {
    if (!database().checkpoint()) quiet = setTimeout(checkpoint, quietMs).unref();
  } catch {
    // The next write schedules another checkpoint. If the disk is broken, that write reports the error.
  }
}

port.on('message', (first: Message) => {
  clearTimeout(quiet);
  const messages = [first];
  for (let next; messages.length < largestGroup && (next = receiveMessageOnPort(port));) {
    messages.push((next as { message: Message }).message);
  }
  const group = messages.filter((message) => message !== 'close');
  if (!isWriter) group.forEach((request) => answer([request]));
  else if (group.length > 0) answer(group);
  if (messages.includes('close')) {
    opened?.close();
    port.close();
  } else if (isWriter) quiet = setTimeout(checkpoint, quietMs).unref();
});

const started = outcomeOf(() => {
  if (isWriter) database();
  return [];
});
port.postMessage([{ id: 0, outcome: started }] satisfies Answers);
if ('error' in started) port.close();
