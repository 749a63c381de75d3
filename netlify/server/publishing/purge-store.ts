import { type Database, all, sql } from '../db/database.ts';

/** A cache tag that could not be purged. */
interface FailedPurge {
  readonly tag: string;
  /** When its purge failed last; ISO 8601, UTC. */
  readonly at: string;
}

const nameOf = (tag: string): string => `unpurged ${tag}`;

/** The cache tags that could not be purged. The scheduled work purges them again. */
export function failedPurgeStore(database: Database) {
  return {
    async add(tags: readonly string[], at: string): Promise<void> {
      await database.write(
        ...tags.map(
          (tag) => sql`INSERT INTO installation (name, value, at) VALUES (${nameOf(tag)}, ${tag}, ${at})
            ON CONFLICT (name) DO UPDATE SET at = excluded.at`,
        ),
      );
    },

    list: () => all<FailedPurge>(database, sql`SELECT value AS tag, at FROM installation WHERE name LIKE 'unpurged %'`),

    /** Removes tags that were purged, except those whose purge has failed again since. */
    async remove(purged: readonly FailedPurge[]): Promise<void> {
      await database.write(
        ...purged.map(({ tag, at }) => sql`DELETE FROM installation WHERE name = ${nameOf(tag)} AND at = ${at}`),
      );
    },
  };
}
