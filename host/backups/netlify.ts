import { join } from 'node:path';
import process from 'node:process';
import { getStore } from '@netlify/blobs';
import { type Database, type Statement, rawSql, sql, text } from '../../netlify/server/db/database.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { connectTo } from '../../netlify/server/db/open.ts';
import type { Env } from '../../netlify/server/env.ts';
import type { BlobStore } from '../../netlify/server/platform.ts';
import { openBlobs } from '../data/blobs.ts';
import { databaseName, openInThisThread } from '../data/sqlite.ts';
import { CommandError } from '../errors.ts';

/** The blob stores of a site (netlify/server/services.ts). */
const storeNames = ['erasures', 'media', 'resumes', 'spool', 'uploads'];
/** The number of rows in one request. A libSQL server limits the size of a response. */
const rowsAtOnce = 100;

/**
 * Copies the data of a site on Netlify into an empty folder, in the form of a self-hosted server's data folder. The site may
 * be running. Copies the database first, so the folder has every file that the database refers to.
 * @throws {CommandError} if the site on Netlify has another version than this folder.
 */
export async function copyFromNetlify(env: Env, folder: string): Promise<void> {
  const remote = await connectTo(env.LIBSQL_URL ?? '', env.LIBSQL_AUTH_TOKEN);
  const local = openInThisThread(join(folder, databaseName));
  try {
    await migrate(local);
    await copyTables(remote, local);
  } finally {
    local.close();
    remote.close();
  }
  // The package reads its access from this variable, as in a function.
  const access = { siteID: env.NETLIFY_SITE_ID, token: env.NETLIFY_AUTH_TOKEN };
  process.env['NETLIFY_BLOBS_CONTEXT'] ??= Buffer.from(JSON.stringify(access)).toString('base64');
  const openLocal = await openBlobs(join(folder, 'blobs'));
  for (const name of storeNames) await copyBlobs(name, openLocal(name));
}

/** Copies every row. Triggers of the new database fill its search indexes. */
async function copyTables(remote: Database, local: Database): Promise<void> {
  const versionOf = async (database: Database) =>
    (await database.read(sql`SELECT group_concat(id) AS ids FROM (SELECT id FROM migrations ORDER BY id)`))[0]?.ids;
  if ((await versionOf(remote)) !== (await versionOf(local))) {
    throw new CommandError(
      'The database has the schema of another version. Check out the deployed version, and run the command there.',
    );
  }
  // A row may come before the row that it refers to.
  await local.read(sql`PRAGMA foreign_keys = OFF`);
  const tables = await local.read(
    sql`SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`,
  );
  for (const { name, wr } of tables) {
    const table = text(name);
    const columns = await local.read(sql`SELECT name FROM pragma_table_xinfo(${table}) WHERE hidden = 0`);
    const names = columns.map((column) => text(column.name));
    // A new database has a few rows, such as its own key for erasures.
    await local.write(rawSql(`DELETE FROM ${table}`));
    // Only small tables have no `rowid`.
    const rows = wr === 1 ? [await remote.read(rawSql(`SELECT * FROM ${table}`))] : pagesOf(remote, table);
    for await (const page of rows) {
      const insertion = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`;
      const statements = page.map((row): Statement => ({ sql: insertion, args: names.map((column) => row[column]!) }));
      if (statements.length > 0) await local.write(...statements);
    }
  }
}

async function* pagesOf(remote: Database, table: string) {
  for (let after = -1; ;) {
    const page = await remote.read(
      sql`SELECT rowid AS row_number, * FROM ${rawSql(table)} WHERE rowid > ${after} ORDER BY rowid LIMIT ${rowsAtOnce}`,
    );
    yield page;
    if (page.length < rowsAtOnce) return;
    after = Number(page.at(-1)?.row_number);
  }
}

async function copyBlobs(name: string, to: BlobStore): Promise<void> {
  const from = getStore({ name, consistency: 'strong' });
  const missing = new Set<string>();
  for (const { key } of (await from.list()).blobs) {
    const bytes = (await from.get(key, { type: 'arrayBuffer' })) as ArrayBuffer | null;
    if (bytes) await to.set(key, new Blob([bytes]));
    else missing.add(key);
  }
  if (missing.size === 0) return;
  // The running site may have deleted these blobs meanwhile.
  const unread = (await from.list()).blobs.find(({ key }) => missing.has(key));
  if (unread) {
    throw new CommandError(
      `Netlify lists the file ${unread.key} in the blob store ${name}, but does not send it. Run the command again.`,
    );
  }
}
