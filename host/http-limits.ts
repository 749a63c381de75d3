import { existsSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import process from 'node:process';
import type { AnswerLimits } from './answers.ts';
import type { ConnectionLimits } from './connections.ts';
import type { BodyLimits } from './request-body.ts';

/** The maximum resources of this process that clients may use: time, connections and memory. */
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

/** Returns the limits for this machine, or for the part of it that a container or systemd unit may use. */
export function httpLimits(): HttpLimits {
  const connections = connectionsFor(openFileLimit());
  // Request bodies may use an eighth of the memory, but at least 16 and at most 32 MiB. Waiting responses may use half
  // as many bytes. `constrainedMemory` returns a huge number if the process has no memory limit.
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  const share = Math.min(32 * mebibyte, Math.max(16 * mebibyte, Math.floor(memory / 8)));
  return {
    headersMs: 15_000,
    // Enough time for a phone that uploads 6 MB at 20 KB per second. A stalled client is disconnected much sooner.
    requestMs: 300_000,
    connections: { total: connections, perAddress: Math.min(128, Math.ceil(connections / 2)) },
    bodies: { total: share, perVisitor: Math.max(share / 4, 8 * mebibyte), stallMs: 10_000 },
    answers: {
      total: 512,
      perVisitor: 128,
      totalBytes: share / 2,
      bytesPerVisitor: share / 4,
      stallMs: 20_000,
    },
  };
}

/**
 * Number of file descriptors that are reserved for the process itself: the database, its threads, and files being read.
 */
const reservedFiles = 48;

/**
 * Returns the maximum number of connections: half of the remaining file descriptors, because a connection that
 * downloads a file needs two.
 */
function connectionsFor(openFiles: number): number {
  return Math.min(10_000, Math.max(8, Math.floor((openFiles - reservedFiles) / 2)));
}

const linuxLimits = '/proc/self/limits';

/** Returns the number of files and sockets that the operating system lets this process open. */
function openFileLimit(): number {
  // The report below takes 30 ms, so on Linux this function reads the limit from a file instead.
  const limits = existsSync(linuxLimits) ? readFileSync(linuxLimits, 'utf8') : '';
  const soft = /^Max open files +(\d+)/m.exec(limits)?.[1];
  if (soft !== undefined) return Number(soft);
  // Node's types lack `excludeNetwork`. Unless it is true, the report looks up the host names of all connections.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  // Windows has no such limit.
  return Number(userLimits?.open_files?.soft ?? Infinity) || Infinity;
}
