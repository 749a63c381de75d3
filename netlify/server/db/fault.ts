/**
 * Why the database cannot store data. `slow` means a timeout, for example because the disk is overloaded or failing.
 */
type Fault = 'read-only' | 'full' | 'deleted' | 'corrupt' | 'locked' | 'slow' | 'unreachable';

const messages: Readonly<Record<Fault, string>> = {
  'read-only':
    'The database is read-only: the system account that runs the site has no permission to write to the database file or its folder. Make the file and the folder writable for that account, and restart the site.',
  full: 'The disk that holds the database is full. Delete files on the server, or enlarge its disk. The site then works again without a restart.',
  deleted:
    'The database file was deleted, moved or replaced while the site was running. Stop the site, put the file back or restore the latest backup, and start the site.',
  corrupt:
    'The database file is damaged. Stop the site, move the data folder aside, restore the latest backup, and start the site.',
  locked:
    'Another program on the server, such as a database tool or a second copy of the site, has locked the database. Stop that program.',
  slow: 'The database did not respond in time. The disk or the database server may be overloaded. If the problem lasts, check the load of both.',
  unreachable: 'The database cannot be reached. Check the disk, or the URL and token of the database server.',
};

/** The database failed. The message says what happened and what to do. It contains no file path and no host name. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
  readonly fault: Fault;

  constructor(fault: Fault, cause?: unknown) {
    super(messages[fault], { cause });
    this.fault = fault;
  }
}

/**
 * Checks the name, because `instanceof` fails across bundles: in one process, the bundle of Astro's pages and the
 * functions have separate copies of the class.
 */
export function isDatabaseFault(error: unknown): error is DatabaseFault {
  return error instanceof Error && error.name === 'DatabaseFault' && 'fault' in error;
}

/** Faults by SQLite's result codes. Any other code means that the statement is wrong, not the database. */
const faults: readonly (readonly [name: string, code: number, fault: Fault])[] = [
  ['SQLITE_PERM', 3, 'read-only'],
  ['SQLITE_BUSY', 5, 'locked'],
  ['SQLITE_LOCKED', 6, 'locked'],
  ['SQLITE_READONLY', 8, 'read-only'],
  ['SQLITE_IOERR', 10, 'unreachable'],
  ['SQLITE_CORRUPT', 11, 'corrupt'],
  ['SQLITE_FULL', 13, 'full'],
  ['SQLITE_CANTOPEN', 14, 'unreachable'],
  ['SQLITE_NOTADB', 26, 'corrupt'],
];

/** Returns the fault of a result code, which is a name on a libSQL server and a number in a file. */
export const faultOf = (code: string | number): Fault | null =>
  faults.find(([name, number]) => code === name || code === number)?.[2] ?? null;

/** The libSQL client's codes for network and server errors. Errors of `fetch` have no code; see {@link asFault}. */
const networkCodes = /^(HRANA_|SERVER_ERROR$|STREAM_EXPIRED$)/;

/** Converts an error into a DatabaseFault if the database is at fault. Returns any other error unchanged. */
export function asFault(error: unknown): unknown {
  if (!(error instanceof Error) || isDatabaseFault(error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const fault = faultOf(/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '');
  if (fault) return new DatabaseFault(fault, error);
  if (error.name === 'TimeoutError') return new DatabaseFault('slow', error);
  const fromFetch = error instanceof TypeError && error.message === 'fetch failed';
  return fromFetch || networkCodes.test(code) ? new DatabaseFault('unreachable', error) : error;
}
