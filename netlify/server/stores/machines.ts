import { type Database, sql } from '../db/database.ts';

/** The machines that serve from this database, each with its own files, by the last time that they said so. */
export function machineStore(database: Database) {
  return {
    async seen(id: string, at: string): Promise<void> {
      await database.write(
        sql(
          'INSERT INTO hosts (id, seen_at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at',
          id,
          at,
        ),
      );
    },

    /** When a machine other than this one was last seen, if that was after a time; ISO 8601, UTC. */
    async anotherSince(id: string, since: string): Promise<string | null> {
      const [row] = await database.read(
        sql('SELECT max(seen_at) AS at FROM hosts WHERE id <> ? AND seen_at > ?', id, since),
      );
      return typeof row?.at === 'string' ? row.at : null;
    },

    async left(id: string): Promise<void> {
      await database.write(sql('DELETE FROM hosts WHERE id = ?', id));
    },
  };
}
