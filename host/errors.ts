import process from 'node:process';
import { type DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import { moveAsideCommands } from './data/set-aside.ts';

/** An error for the person at the terminal. Commands print its message without the stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/**
 * Errors whose message tells the owner what to do. They are known by name, so a command does not load the modules that
 * throw them.
 */
const written = new Set([
  'CommandError',
  'EnvError',
  'SiteDetailsError',
  'BuildError',
  'BackupError',
  'DataInUseError',
  'LostDataError',
  'Refusal',
]);

/** Ends the process after a failed start or command. Prints advice if the error is known. */
export function failStart(error: unknown): never {
  console.error(adviceOn(error) ?? error);
  process.exit(1);
}

function adviceOn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (written.has(error.name)) return error.message;
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
        ? `The account that runs this command has no permission to use ${path ?? 'its files'}. Give the account that permission, or set DATA_DIR to a folder that the account owns.`
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
    fault === 'corrupt' && !LIBSQL_URL ? `\n${moveAsideCommands(DATA_DIR)}\n  npm run restore -- <archive>` : '';
  const said = cause instanceof Error ? ` (${cause.message})` : '';
  return `${message}\nThe error is about ${where}${said}.${how}`;
}

/** Returns the file, the line and the message of a syntax error, without the stack. */
function syntaxErrorOf(error: SyntaxError): string {
  const lines = (error.stack ?? error.message).split('\n');
  const end = lines.findIndex((line) => line.startsWith('    at '));
  return lines.slice(0, end === -1 ? 5 : end).join('\n');
}
