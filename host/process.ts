import { createServer } from 'node:net';
import process from 'node:process';
import { type DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import { type Env, EnvError } from '../netlify/server/runtime/env.ts';
import { Refusal } from '../netlify/server/runtime/refusal.ts';
import { logError } from '../netlify/server/runtime/log.ts';
import { SiteDetailsError } from '../netlify/server/publishing/site-details.ts';
import { BuildError } from './build.ts';
import { LostDataError } from './data/lost-data.ts';
import type { Host } from './http/server.ts';

// Signals within this many milliseconds count as one: Ctrl-C in a terminal sends the signal to this process twice,
// directly and through npm.
const samePressMs = 1_000;

/**
 * On SIGTERM or SIGINT, waits for the running requests and stops the host. A second signal ends the process
 * immediately.
 */
export function stopOnSignals(host: Host): void {
  let since: number | undefined;
  const stop = (): void => {
    if (since !== undefined) {
      if (Date.now() - since > samePressMs) process.exit(1);
      return;
    }
    since = Date.now();
    console.log('Stopping after the running requests are finished.');
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

/** Rejects if the port is in use. Runs before the build, which can take minutes. */
export async function checkPort({ PORT, HOST }: Env): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(PORT, HOST, () => probe.close(() => resolve()));
  });
}

/** Ends the process after a failed start. Prints advice if the error is known. */
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
      return `Another program uses port ${port} of ${address}. Stop that program, or set PORT to another number.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is not an address of this machine${address === undefined ? '' : `: ${address}`}. Set HOST to one of its addresses, such as 127.0.0.1.`;
    case 'EACCES':
      return port === undefined
        ? `The account that runs the site has no permission to write ${path ?? 'its files'}. Give the account that permission, or set DATA_DIR to a folder that the account owns.`
        : `The account that runs the site has no permission to use port ${port}. Set PORT to a number above 1023.`;
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
  const where = LIBSQL_URL ? 'the database in LIBSQL_URL' : `the file site.db in ${DATA_DIR}`;
  const how =
    fault === 'corrupt' && !LIBSQL_URL ? `\n  mv ${DATA_DIR} ${DATA_DIR}.damaged\n  npm run restore -- <archive>` : '';
  const said = cause instanceof Error ? ` (${cause.message})` : '';
  return `${message}\nThe error is about ${where}${said}.${how}`;
}

/** Returns the file, the line and the message of a syntax error, without the stack. */
function syntaxErrorOf(error: SyntaxError): string {
  const lines = (error.stack ?? error.message).split('\n');
  const end = lines.findIndex((line) => line.startsWith('    at '));
  return lines.slice(0, end === -1 ? 5 : end).join('\n');
}
