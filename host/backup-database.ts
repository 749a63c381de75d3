import { pathToFileURL } from 'node:url';
import { type Client, createClient } from '@libsql/client';
import { text } from '../netlify/server/db/database.ts';
import { erasuresOf } from './backup-erasures.ts';
import { BackupError } from './backup-files.ts';

/**
 * Number of the migration that added the table `erasures`: hashes that identify people whose data was deleted on
 * request.
 */
export const firstSchemaWithErasures = 23;

/**
 * Prepares a copy of the database for the archive. Rebuilds the search indexes if they still contain words of deleted
 * rows, or if the copy fails the integrity check.
 * @returns the schema number, the row counts and the erasures.
 * @throws {BackupError} if the database is damaged.
 */
export async function prepareCopy(client: Client) {
  const schema = await schemaOf(client);
  const unmerged =
    schema >= 22 ? (await client.execute('SELECT 1 FROM search_deletions WHERE merged < deletions')).rows.length : 0;
  if (unmerged > 0 || (await integrityFault(client)) !== null) await rebuildSearch(client);
  const fault = await integrityFault(client);
  if (fault) {
    throw new BackupError(
      `The database is damaged ("${fault}"), so no backup was made. Restore the last good backup (docs/operate.md).`,
    );
  }
  const erasures = schema >= firstSchemaWithErasures ? await erasuresOf(client) : [];
  return { schema, rows: await rowsOf(client), erasures };
}

export async function withDatabase<T>(file: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient({ url: pathToFileURL(file).href, timeout: 30_000, concurrency: 1 });
  try {
    // `rebuildSearch` frees database pages that contain personal data, so SQLite must overwrite freed pages.
    await client.execute('PRAGMA secure_delete = ON');
    return await work(client);
  } finally {
    client.close();
  }
}

export async function integrityFault(client: Client): Promise<string | null> {
  const { rows } = await client.execute('PRAGMA integrity_check');
  const said = rows[0]?.[0];
  return said === 'ok' ? null : typeof said === 'string' ? said : 'nothing';
}

async function tablesOf(client: Client, condition: string): Promise<string[]> {
  const { rows } = await client.execute(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' AND ${condition}`,
  );
  return rows.map((row) => text(row.name));
}

/** Rebuilds each full-text index from the rows of its table. */
export async function rebuildSearch(client: Client): Promise<void> {
  for (const words of await tablesOf(client, `type = 'virtual'`)) {
    await client.execute(`INSERT INTO "${words}" ("${words}") VALUES ('rebuild')`);
  }
}

export async function schemaOf(client: Client): Promise<number> {
  const { rows } = await client.execute('SELECT max(id) AS id FROM migrations');
  return Number(rows[0]?.id);
}

export async function rowsOf(client: Client): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of await tablesOf(client, `type = 'table'`)) {
    counted[table] = Number((await client.execute(`SELECT count(*) AS count FROM "${table}"`)).rows[0]?.count);
  }
  return counted;
}
