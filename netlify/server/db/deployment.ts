import type { Deployment } from '../env.ts';
import { Refusal } from '../refusal.ts';
import { logError } from '../log.ts';
import { type Database, rawSql, sql, text } from './database.ts';

/**
 * Creates the table that records which kind of deploy owns the database. The schema has it too, but a preview
 * records its claim before it runs the migrations.
 */
export const installationTable = `CREATE TABLE IF NOT EXISTS installation (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID`;

/**
 * Records in the database which kind of deploy owns it, so a deploy preview cannot use the database of production. On
 * Netlify, a preview inherits production's environment variables, including the database URL.
 *
 * - Production accepts any database and becomes its owner.
 * - A preview accepts an empty database and becomes its owner. It also accepts a database that a preview owns.
 * - A developer's machine accepts any database that production does not own.
 *
 * @param migrate runs the migrations. It is not called for a refused deploy.
 * @throws {Refusal} `unavailable`, with a message for the person who views the preview.
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
      sql`INSERT INTO installation (name, value, at) VALUES ('deployment', 'production', ${new Date().toISOString()})
         ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at`,
    );
    return;
  }
  if (!(await hasTable(database, 'migrations'))) {
    await database.write(
      rawSql(installationTable),
      sql`INSERT INTO installation (name, value, at) SELECT 'deployment', 'preview', ${new Date().toISOString()}
         WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'migrations') ON CONFLICT (name) DO NOTHING`,
    );
  }
  const owner = await ownerOf(database);
  if (owner === 'production') throw refused('the production database');
  // Earlier releases did not record the owner, so a database without an owner may belong to production.
  if (owner === null && deployment === 'preview') throw refused('a database that may be the production database');
  await migrate();
}

function refused(what: string): Refusal {
  logError('deploy not allowed to use its database', { what });
  return new Refusal(
    'unavailable',
    `This is not the production site, but it is connected to ${what}. To protect that data, this site neither reads nor changes it. Set LIBSQL_URL to an empty database for this deploy context, and deploy again.`,
  );
}

async function ownerOf(database: Database): Promise<string | null> {
  if (!(await hasTable(database, 'installation'))) return null;
  const [row] = await database.read(sql`SELECT value FROM installation WHERE name = 'deployment'`);
  return row ? text(row.value) : null;
}

async function hasTable(database: Database, name: string): Promise<boolean> {
  return (await database.read(sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ${name}`)).length > 0;
}

/** The self-hosted servers that use this database, and when each last reported. */
export function machineStore(database: Database) {
  return {
    async seen(id: string, at: string): Promise<void> {
      await database.write(
        sql`INSERT INTO hosts (id, seen_at) VALUES (${id}, ${at})
            ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      );
    },

    /** Returns when another server last reported (ISO 8601, UTC), or null if none has reported after `since`. */
    async anotherSince(id: string, since: string): Promise<string | null> {
      const [row] = await database.read(
        sql`SELECT max(seen_at) AS at FROM hosts WHERE id <> ${id} AND seen_at > ${since}`,
      );
      return typeof row?.at === 'string' ? row.at : null;
    },

    async left(id: string): Promise<void> {
      await database.write(sql`DELETE FROM hosts WHERE id = ${id}`);
    },
  };
}
