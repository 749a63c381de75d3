import type { Deployment } from '../env.ts';
import { Refusal } from '../refusal.ts';
import { logError } from '../log.ts';
import { change, type Database, insert, one, rawSql, sql, type Statement } from './database.ts';
import { newestId } from './migrations/from-30.ts';

/**
 * Creates the table that records who uses the database. The schema has it too, but a preview records its claim before it
 * runs the migrations.
 */
export const installationTable = `CREATE TABLE IF NOT EXISTS installation (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID`;

const valueOf = async (database: Database, name: string) =>
  (await one<{ value: string }>(database, sql`SELECT value FROM installation WHERE name = ${name}`))?.value ?? null;

/** Returns the statement that stores a value. It replaces an existing value only if that value is `replaceable`. */
export const putValue = (name: string, value: string, at: string, replaceable = sql`TRUE`): Statement =>
  sql`${insert('installation', { name, value, at })}
      ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at WHERE ${replaceable}`;

const put = async (database: Database, name: string, value: string): Promise<void> => {
  await database.write(putValue(name, value, new Date().toISOString(), sql`value <> excluded.value`));
};

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
    return await put(database, 'deployment', 'production');
  }
  const isNew = sql`NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'migrations')`;
  if ((await database.read(sql`SELECT 1 WHERE ${isNew}`)).length > 0) {
    await database.write(
      rawSql(installationTable),
      sql`${insert('installation', { name: 'deployment', value: 'preview', at: new Date().toISOString() }, isNew)}
          ON CONFLICT DO NOTHING`,
    );
  }
  const owner = await valueOf(database, 'deployment');
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

/**
 * Refuses a database that a newer version of the site has migrated: this version would not know its tables and triggers,
 * and would store inquiries without their emails. Otherwise, records this version in the database.
 * @throws {Refusal} `unavailable`, with a message for the owner.
 */
export async function claimVersion(database: Database, version: string): Promise<void> {
  const [newest] = await database.read(sql`SELECT max(id) AS id FROM migrations`);
  if (Number(newest?.id) > newestId) {
    const writer = (await valueOf(database, 'version')) ?? '(unknown)';
    throw new Refusal(
      'unavailable',
      `Version ${writer} of the site wrote this database, and this is version ${version}, which is older ` +
        `(database schema ${Number(newest?.id)}; this version knows ${newestId}). Install the newer version again, ` +
        'or restore a backup that was made before the upgrade.',
    );
  }
  await put(database, 'version', version);
}

/**
 * Records the self-hosted server that uses a database server.
 * @param silentSince the server that is recorded counts as stopped if it last reported before this time.
 * @returns false if another server uses the database.
 */
export async function claimMachine(database: Database, id: string, at: Date, silentSince: Date): Promise<boolean> {
  const isFree = sql`value = excluded.value OR at <= ${silentSince.toISOString()}`;
  return (await change(database, putValue('machine', id, at.toISOString(), isFree))) === 1;
}

export async function releaseMachine(database: Database, id: string): Promise<void> {
  await database.write(sql`DELETE FROM installation WHERE name = 'machine' AND value = ${id}`);
}
