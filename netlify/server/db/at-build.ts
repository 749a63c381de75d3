import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '@libsql/client/http';
import { readBuildEnv } from '../env.ts';
import { logError } from '../log.ts';
import { connectTo } from './open.ts';
import type { Database, Statement } from './database.ts';

/**
 * Reads the database while the site is built. A build also works without a database.
 * @param source usually `process.env`.
 * @param read runs the queries.
 * @returns null if no database is configured, or if the database fails.
 */
export async function readAtBuild<T>(
  source: Record<string, string | undefined>,
  read: (database: Database) => Promise<T>,
): Promise<T | null> {
  const { DATA_DIR, LIBSQL_URL, LIBSQL_AUTH_TOKEN: authToken } = readBuildEnv(source);
  const file = join(DATA_DIR, 'site.db');
  if (LIBSQL_URL === undefined && !existsSync(file)) return null;
  let database: Database | undefined;
  try {
    database = LIBSQL_URL === undefined ? await openFile(file) : await connectTo(LIBSQL_URL, authToken);
    return await read(database);
  } catch (error) {
    // A new database has no tables until a server runs the migrations, so this error is expected.
    if (!(error instanceof Error && error.message.includes('no such table'))) {
      logError('database not reached by the build; default texts are used', {}, error);
    }
    return null;
  } finally {
    database?.close();
  }
}

async function openFile(path: string): Promise<Database> {
  const { DatabaseSync } = await import('node:sqlite');
  const file = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const refuse = () => Promise.reject(new Error('A build only reads the database.'));
  return {
    read: async ({ sql, args }: Statement) => file.prepare(sql).all(...(args as SQLInputValue[])) as unknown as Row[],
    write: refuse,
    apply: refuse,
    check: refuse,
    close: () => file.close(),
  };
}
