import { from01 } from './migrations/from-01.ts';
import { from08 } from './migrations/from-08.ts';
import { from20 } from './migrations/from-20.ts';
import { from30 } from './migrations/from-30.ts';
import type { Migration } from './migrations/migration.ts';

/**
 * All migrations in the order in which they run. Each file is named after its first migration, and a new migration goes
 * at the end of the last file.
 */
export const migrations: readonly Migration[] = [...from01, ...from08, ...from20, ...from30];
