import { type Database, isBusy, sql } from './database.ts';
import { type Migration, migrations } from './migrations.ts';

const busyTries = 20;

/**
 * Brings the schema up to date. Each migration runs once and whole; instances that start together wait for each other,
 * because the check and the change stand in one write transaction.
 * @returns the names of the migrations that this call applied.
 */
export async function migrate(database: Database, list: readonly Migration[] = migrations): Promise<string[]> {
  const applied = await appliedIds(database);
  if (list.every((migration) => applied.has(migration.id))) return [];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrateOnce(database, list);
    } catch (error) {
      if (attempt === busyTries || !isBusy(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 * attempt + Math.random() * 50));
    }
  }
}

async function appliedIds(database: Database): Promise<Set<number>> {
  const tables = await database.read(sql(`SELECT 1 FROM sqlite_schema WHERE name = 'migrations'`));
  if (tables.length === 0) return new Set();
  const rows = await database.read(sql('SELECT id FROM migrations'));
  return new Set(rows.map((row) => Number(row.id)));
}

async function migrateOnce(database: Database, list: readonly Migration[]): Promise<string[]> {
  const transaction = await database.transaction();
  const names: string[] = [];
  try {
    await transaction.execute(
      'CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT',
    );
    const done = new Set((await transaction.execute('SELECT id FROM migrations')).rows.map((row) => Number(row.id)));
    for (const migration of list) {
      if (done.has(migration.id)) continue;
      for (const statement of migration.statements) await transaction.execute(statement);
      await transaction.execute({
        sql: 'INSERT INTO migrations (id, name, applied_at) VALUES (?, ?, ?)',
        args: [migration.id, migration.name, new Date().toISOString()],
      });
      names.push(migration.name);
    }
    await transaction.commit();
  } finally {
    transaction.close();
  }
  return names;
}
