import { type Database, sql, text } from '../db/database.ts';
import type { FaultState } from '../fault-state.ts';

/** Current faults, and whether the admins were told. `server/faults.ts` keeps faults of the database in the blob store. */
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
