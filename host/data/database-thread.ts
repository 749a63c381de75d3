import { getPriority, setPriority } from 'node:os';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import type { Statement } from '../../netlify/server/db/database.ts';
import { failureOf, type Outcome, SqliteFile } from './sqlite.ts';

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

/** The outcomes of requests. The first message of a thread has the id 0 and says whether the thread could start. */
export type Answers = readonly { readonly id: number; readonly outcome: Outcome }[];

/** Milliseconds that a write waits for a lock. The response to a form must be sent within two seconds. */
const lockWaitMs = 1_000;
/** Milliseconds without a write after which the write-ahead log is copied into the database file. */
const quietMs = 1_000;

// When the processor is busy, the main thread goes first, because it handles every visitor. Only Linux has a priority
// for each thread; other systems would change that of the whole process.
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + 5));

const { role, file, create } = workerData as ThreadData;
const isWriter = role === 'writer';
/** Writes that have arrived by the time of a commit share it, because each commit waits for the disk. */
const largestGroup = isWriter ? 128 : 1;
const port = parentPort!;
const send = (answers: Answers): void => port.postMessage(answers);
const waiting: Request[] = [];
let opened: SqliteFile | undefined;
let quiet: NodeJS.Timeout | undefined;

// A reader opens the file at its first read, because the writer may still be creating the file.
const database = () => (opened ??= new SqliteFile(file, { lockWaitMs, create, readOnly: !isWriter }));

function answer(group: readonly Request[]): Outcome[] {
  try {
    if (isWriter) return database().write(group.map(({ statements }) => statements));
    return group.map(({ statements }) => database().read(statements[0]!));
  } catch (error) {
    return group.map(() => failureOf(error, file));
  }
}

function work(): void {
  if (waiting.length === 0) return;
  const group = waiting.splice(0, largestGroup);
  const outcomes = answer(group);
  send(group.map(({ id }, index) => ({ id, outcome: outcomes[index]! })));
  if (waiting.length > 0) setImmediate(work);
  else if (isWriter) quiet = setTimeout(checkpoint, quietMs).unref();
}

function checkpoint(): void {
  try {
    if (!database().checkpoint()) quiet = setTimeout(checkpoint, quietMs).unref();
  } catch {
    // The next write schedules another checkpoint. If the disk is broken, that write reports the error.
  }
}

port.on('message', (message: Message) => {
  clearTimeout(quiet);
  if (message !== 'close') {
    waiting.push(message);
    if (waiting.length === 1) setImmediate(work);
    return;
  }
  while (waiting.length > 0) work();
  clearTimeout(quiet);
  opened?.close();
  port.close();
});

try {
  if (isWriter) database();
  send([{ id: 0, outcome: { results: [] } }]);
} catch (error) {
  send([{ id: 0, outcome: failureOf(error, file) }]);
  port.close();
}
