import process from 'node:process';
import { type DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import { databaseName } from './data/sqlite.ts';
import { moveAsideCommands, newFolderCommand } from './data/set-aside.ts';

/** An error for the person at the terminal, which says what to do. Commands print its message without the stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Errors whose message tells the owner what to do. They are known by name, so a command does not load the modules that
 * throw them.
 */
const written = new Set(['CommandError', 'EnvError', 'SiteDetailsError', 'Refusal']);

/** Ends the process after a failed start or command. Prints advice if the error is known. */
export function failStart(error: unknown): never {
  console.error(adviceOn(error) ?? error);
  process.exit(1);
}

/** Returns what happened and what the owner can do. Returns undefined for an error that only a developer can correct. */
export function adviceOn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (written.has(error.name)) return error.message;
  if (isDatabaseFault(error)) return adviceOnDatabase(error);
  const details = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const { code, syscall, address, port, path } = details;
  const disk = path === undefined ? 'The disk' : `The disk of ${path}`;
  switch (code) {
    case 'EADDRINUSE':
      return `Another program is using port ${port} of ${address}. Stop that program, or set PORT to another number.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is not an address of this machine${address === undefined ? '' : `: ${address}`}. Set HOST to one of its addresses, such as 127.0.0.1.`;
    case 'EACCES':
    case 'EPERM':
      if (port !== undefined) {
        return `The account that runs the site has no permission to use port ${port}. Set PORT to a number above 1023.`;
      }
      if (syscall === 'mkdir' && path !== undefined) {
        return `This account has no permission to create the folder ${path}. Create the folder for this account:\n${newFolderCommand(path)}`;
      }
      return `This account has no permission to use ${path ?? 'its files'}. Give the account that permission, or use a folder that the account owns (DATA_DIR for the site's data).`;
    case 'EEXIST':
      return syscall === 'mkdir' && path !== undefined ? `${path} is a file, not a folder.` : undefined;
    case 'ENOENT':
      return path && `The file or folder ${path} does not exist.`;
    case 'ENOTDIR':
      return `Part of the path is not a folder${path === undefined ? '' : `: ${path}`}.`;
    case 'EROFS':
      return `${disk} is mounted read-only. Mount it for writing, or use a folder on another disk (DATA_DIR for the site's data).`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `${disk} is full. Delete files or enlarge the disk.`;
    default:
      return undefined;
  }
}

function adviceOnDatabase({ message, fault, cause }: DatabaseFault): string {
  const { DATA_DIR = '.data', LIBSQL_URL } = process.env;
  const where = LIBSQL_URL ? 'the database in LIBSQL_URL' : `the file ${databaseName} in ${DATA_DIR}`;
  const how =
    fault === 'corrupt' && !LIBSQL_URL ? `\n${moveAsideCommands(DATA_DIR)}\n  npm run restore -- <archive>` : '';
  const said = cause instanceof Error ? ` (${cause.message})` : '';
  return `${message}\nThe error is about ${where}${said}.${how}`;
}
