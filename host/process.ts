import { createServer } from 'node:net';
import process from 'node:process';
import { type DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import { type Env, EnvError } from '../netlify/server/env.ts';
import { Refusal } from '../netlify/server/http/refusal.ts';
import { logError } from '../netlify/server/log.ts';
import { SiteDetailsError } from '../netlify/server/site-details.ts';
import { BuildError } from './build.ts';
import { LostDataError } from './lost-data.ts';
import type { Host } from './server.ts';

// A terminal's Ctrl-C reaches this process directly, and once more through npm.
const samePressMs = 1_000;

/** Stops at SIGTERM or SIGINT, finishing what runs; a second one ends the process at once. */
export function stopOnSignals(host: Host): void {
  let since: number | undefined;
  const stop = (): void => {
    if (since !== undefined) {
      if (Date.now() - since > samePressMs) process.exit(1);
      return;
    }
    since = Date.now();
    console.log('Stopping: running requests are finished first.');
    host.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logError('stopping failed', {}, error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

/** Rejects as the server would, so that a taken port is found before minutes of building. */
export async function checkPort({ PORT, HOST }: Env): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(PORT, HOST, () => probe.close(() => resolve()));
  });
}

/** Ends a start that failed. Prints advice if the error is a known one. */
export function failStart(error: unknown): never {
  console.error(adviceOn(error) ?? error);
  process.exit(1);
}

function adviceOn(error: unknown): string | undefined {
  if ([EnvError, SiteDetailsError, BuildError, LostDataError, Refusal].some((kind) => error instanceof kind)) {
    return (error as Error).message;
  }
  if (isDatabaseFault(error)) return adviceOnDatabase(error);
  if (error instanceof SyntaxError) return `A file of the project has a syntax error.\n${syntaxErrorOf(error)}`;
  const { code, address, port, path } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${address} is taken by another program. Stop that one, or set PORT to another number.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is no address of this machine${address === undefined ? '' : `: ${address}`}.`;
    case 'EACCES':
      return port === undefined
        ? `The account that runs the site may not write ${path ?? 'its files'}. Give the account that right, or set DATA_DIR to a folder of its own.`
        : `Port ${port} needs more rights. Set PORT to a number above 1023.`;
    case 'EROFS':
      return `The disk of ${path ?? 'the site'} is mounted read-only. Mount it for writing, or set DATA_DIR to a folder on another disk.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of ${path ?? 'the site'} is full. Delete files or enlarge the disk.`;
    default:
      return undefined;
  }
}

function adviceOnDatabase({ message, fault, cause }: DatabaseFault): string {
  const { DATA_DIR = '.data', LIBSQL_URL } = process.env;
  const where = LIBSQL_URL ? 'the database that LIBSQL_URL names' : `the file site.db in ${DATA_DIR}`;
  const how =
    fault === 'corrupt' && !LIBSQL_URL ? `\n  mv ${DATA_DIR} ${DATA_DIR}.damaged\n  npm run restore -- <archive>` : '';
  const said = cause instanceof Error ? ` (${cause.message})` : '';
  return `${message}\nThis is about ${where}${said}.${how}`;
}

/** The place in the file and the message, without the stack. */
function syntaxErrorOf(error: SyntaxError): string {
  const lines = (error.stack ?? error.message).split('\n');
  const end = lines.findIndex((line) => line.startsWith('    at '));
  return lines.slice(0, end === -1 ? 5 : end).join('\n');
}
