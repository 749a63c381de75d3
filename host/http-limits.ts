import { totalmem } from 'node:os';
import process from 'node:process';
import type { AnswerLimits } from './answers.ts';
import type { ConnectionLimits } from './connections.ts';
import type { BodyLimits } from './request-body.ts';

/** What a client may use of this process: time, connections and memory. */
export interface HttpLimits {
  /** Milliseconds until a client must have sent its headers. */
  readonly headersMs: number;
  /** Milliseconds until a client must have sent its whole request. */
  readonly requestMs: number;
  readonly connections: ConnectionLimits;
  readonly bodies: BodyLimits;
  readonly answers: AnswerLimits;
}

const mebibyte = 1024 * 1024;

/** The limits for a machine of this size, or for the part of the machine that a container or systemd unit may use. */
export function httpLimits(): HttpLimits {
  const connections = connectionsFor(openFileLimit());
  // An eighth each for bodies and for answers, but not more than many visitors at a time need. `constrainedMemory` is a huge number if nothing constrains the process.
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  const share = Math.min(32 * mebibyte, Math.max(16 * mebibyte, Math.floor(memory / 8)));
  return {
    headersMs: 15_000,
    // A phone that sends 20 KB a second gets 6 MB through. A client that stalls is given up much sooner.
    requestMs: 300_000,
    connections: { total: connections, perAddress: Math.min(128, Math.ceil(connections / 2)) },
    bodies: { total: share, perVisitor: Math.max(share / 4, 8 * mebibyte), stallMs: 10_000 },
    answers: {
      total: 512,
      perVisitor: 128,
      totalBytes: share,
      bytesPerVisitor: share / 2,
      stallMs: 20_000,
    },
  };
}

/** What the process itself keeps open: the database, its threads, and files that are being read at the moment. */
const reservedFiles = 48;

/** Half of the remaining files: a connection that downloads a file needs two. */
function connectionsFor(openFiles: number): number {
  return Math.min(10_000, Math.max(8, Math.floor((openFiles - reservedFiles) / 2)));
}

/** How many files and sockets the operating system lets this process open. */
function openFileLimit(): number {
  // Node's types lack this property. Without it, the report asks for the host names of all connections.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  // Windows has no such limit.
  return Number(userLimits?.open_files?.soft ?? Infinity) || Infinity;
}
