import { type Database, sql, text } from '../db/database.ts';

/** A fault of one part of the site. Times are ISO 8601, UTC. */
export interface FaultState {
  readonly part: string;
  /** What happened, and what to do. */
  readonly words: string;
  readonly beganAt: string;
  readonly announcedAt: string | null;
  /** When the part was first seen working again. */
  readonly clearedAt: string | null;
}

/**
 * Current faults and faults that ended recently, and whether admins were notified. Faults of the database are in the
 * blob store instead (`netlify/server/status/faults.ts`).
 */
export function faultStore(database: Database) {
  return {
    async list(): Promise<FaultState[]> {
      const rows = await database.read(sql('SELECT part, words, began_at, announced_at, cleared_at FROM faults'));
      const optional = (value: unknown) => (typeof value === 'string' ? value : null);
      return rows.map((row) => ({
        part: text(row.part),
        words: text(row.words),
        beganAt: text(row.began_at),
        announcedAt: optional(row.announced_at),
        clearedAt: optional(row.cleared_at),
      }));
    },

    async put({ part, words, beganAt, announcedAt, clearedAt }: FaultState): Promise<void> {
      await database.write(
        sql(
          `INSERT INTO faults (part, words, began_at, announced_at, cleared_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (part) DO UPDATE SET words = excluded.words, announced_at = excluded.announced_at,
             cleared_at = excluded.cleared_at`,
          part,
          words,
          beganAt,
          announcedAt,
          clearedAt,
        ),
      );
    },

    async remove(part: string): Promise<void> {
      await database.write(sql('DELETE FROM faults WHERE part = ?', part));
    },
  };
}
