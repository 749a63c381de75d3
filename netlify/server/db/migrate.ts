import { Refusal } from '../refusal.ts';
import { type Database, type Statement, rawSql, sql } from './database.ts';
import { isDatabaseFault } from './fault.ts';
import { type Migration, migrations, oldestId } from './migrations/from-30.ts';
import { schema } from './migrations/schema.ts';

/** The number of attempts for a migration while other instances hold the lock or the network fails. */
const tries = 20;

/**
 * Creates the schema of a new database, or brings the schema of an existing one up to date. Each migration is one
 * transaction, so it either completes or changes nothing. The transaction is one request, because a libSQL server limits
 * the time of a transaction that spans several requests.
 * @returns the names of the migrations that this call applied.
 * @throws {Refusal} `unavailable`, with a message for the owner, if the database is too old.
 */
export async function migrate(database: Database, list: readonly Migration[] = migrations): Promise<string[]> {
  const names: string[] = [];
  let applied = await appliedIds(database);
  const newest = Math.max(...applied);
  if (applied.size > 0 && newest < oldestId) throw tooOld(newest);
  for (const migration of applied.size === 0 ? [schema, ...list] : list) {
    for (let attempt = 1; !applied.has(migration.id); attempt += 1) {
      try {
        await database.apply(statementsOf(migration));
        applied.add(migration.id);
        names.push(migration.name);
      } catch (error) {
        // If another instance was first, the row of this migration exists already and the whole transaction fails.
        applied = await appliedIds(database);
        if (applied.has(migration.id)) break;
        if (attempt === tries || !isTemporary(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50 * attempt + Math.random() * 50));
      }
    }
  }
  return names;
}

const tooOld = (newest: number) =>
  new Refusal(
    'unavailable',
    `A version of the site before 0.1.0 wrote this database (database schema ${newest}; this version needs ${oldestId}). ` +
      'Install version 0.1.0 of the site, start it once, and then install this version again.',
  );

function statementsOf({ id, name, statements }: Migration): Statement[] {
  return [
    sql`CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT`,
    // This INSERT runs first, so a slower instance fails before it changes the schema.
    sql`INSERT INTO migrations (id, name, applied_at) VALUES (${id}, ${name}, ${new Date().toISOString()})`,
    ...statements.map(rawSql),
  ];
}

async function appliedIds(database: Database): Promise<Set<number>> {
  const tables = await database.read(sql`SELECT 1 FROM sqlite_schema WHERE name = 'migrations'`);
  if (tables.length === 0) return new Set();
  const rows = await database.read(sql`SELECT id FROM migrations`);
  return new Set(rows.map((row) => Number(row.id)));
}

function isTemporary(error: unknown): boolean {
  return isDatabaseFault(error) && ['locked', 'slow', 'unreachable'].includes(error.fault);
}
