import { from30 } from './migrations/from-30.ts';
import type { Migration } from './migrations/migration.ts';

/** The last migration of version 0.1.0. Databases of that version and later can be upgraded. */
export const oldestId = 28;

/**
 * The migrations of an existing database, in the order in which they run. A new database starts with `schema.ts`,
 * which includes migration 29.
 * Released migrations never change. A new one goes at the end of `from-30.ts`.
 */
export const migrations: readonly Migration[] = [
  {
    id: 29,
    name: 'no counts of refused requests and of what browsers refused',
    statements: [`DROP TABLE policy_reports`, `DELETE FROM activity WHERE kind = 'refused'`],
  },
  ...from30,
];

export const newestId = Math.max(...migrations.map(({ id }) => id));
