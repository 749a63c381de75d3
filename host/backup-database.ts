import { type Database, sql, text } from '../netlify/server/db/database.ts';
import { openInThisThread } from './data/sqlite.ts';
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
export async function prepareCopy(client: Database) {
  const schema = await schemaOf(client);
  const unmerged =
    schema >= 22 ? (await client.read(sql('SELECT 1 FROM search_deletions WHERE merged < deletions'))).length : 0;
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

export async function withDatabase<T>(file: string, work: (client: Database) => Promise<T>): Promise<T> {
  const client = openInThisThread(file, { lockWaitMs: 30_000 });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

export async function integrityFault(client: Database): Promise<string | null> {
  const rows = await client.read(sql('PRAGMA integrity_check'));
  const said = rows[0]?.integrity_check;
  return said === 'ok' ? null : typeof said === 'string' ? said : 'nothing';
}

async function tablesOf(client: Database, condition: string): Promise<string[]> {
  const rows = await client.read(
    sql(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' AND ${condition}`),
  );
  return rows.map((row) => text(row.name));
}

/** Rebuilds each full-text index from the rows of its table. */
export async function rebuildSearch(client: Database): Promise<void> {
  for (const words of await tablesOf(client, `type = 'virtual'`)) {
    await client.write(sql(`INSERT INTO "${words}" ("${words}") VALUES ('rebuild')`));
  }
}

export async function schemaOf(client: Database): Promise<number> {
  const rows = await client.read(sql('SELECT max(id) AS id FROM migrations'));
  return Number(rows[0]?.id);
}

export async function rowsOf(client: Database): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of await tablesOf(client, `type = 'table'`)) {
    counted[table] = Number((await client.read(sql(`SELECT count(*) AS count FROM "${table}"`)))[0]?.count);
  }
  return counted;
}
