import { type Database, sql } from '../db/database.ts';

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
