import type { Deployment } from '../env.ts';
import { Refusal } from '../http/refusal.ts';
import { logError } from '../log.ts';
import { type Database, sql, text } from './database.ts';

/** Also a statement of migration 26: a preview marks an empty database as its own before it migrates it. */
export const installationTable = `CREATE TABLE IF NOT EXISTS installation (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID`;

/**
 * Records in the database which kind of deploy it belongs to, and refuses a deploy of another kind. A deploy preview
 * inherits the variables of production on Netlify, so the variables alone cannot tell the two apart.
 *
 * - Production takes any database and marks it.
 * - A preview takes an empty database, which it marks, or one that a preview marked.
 * - A person's own machine takes any database but one of production.
 *
 * @param migrate brings the schema up to date; a refused deploy changes nothing.
 * @throws {Refusal} `unavailable`, with words for the person who looks at the preview.
 */
export async function claimDatabase(
  database: Database,
  deployment: Deployment,
  migrate: () => Promise<unknown>,
): Promise<void> {
  if (deployment === 'production') {
    await migrate();
    if ((await ownerOf(database)) === 'production') return;
    await database.write(
      sql(
        `INSERT INTO installation (name, value, at) VALUES ('deployment', 'production', ?)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at`,
        new Date().toISOString(),
      ),
    );
    return;
  }
  if (!(await hasTable(database, 'migrations'))) {
    await database.write(
      sql(installationTable),
      sql(
        `INSERT INTO installation (name, value, at) SELECT 'deployment', 'preview', ?
         WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'migrations') ON CONFLICT (name) DO NOTHING`,
        new Date().toISOString(),
      ),
    );
  }
  const owner = await ownerOf(database);
  if (owner === 'production') throw refused('the production database');
  // A release before this rule marked nothing, so the database may be that of production.
  if (owner === null && deployment === 'preview') throw refused('a database that may be the production database');
  await migrate();
}

function refused(what: string): Refusal {
  logError('this deploy may not use its database', { what });
  return new Refusal(
    'unavailable',
    `This deploy is not production and is connected to ${what}, so it neither reads nor changes data. Set LIBSQL_URL to an empty database for this deploy context, and deploy again.`,
  );
}

async function ownerOf(database: Database): Promise<string | null> {
  if (!(await hasTable(database, 'installation'))) return null;
  const [row] = await database.read(sql(`SELECT value FROM installation WHERE name = 'deployment'`));
  return row ? text(row.value) : null;
}

async function hasTable(database: Database, name: string): Promise<boolean> {
  return (await database.read(sql(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`, name))).length > 0;
}
