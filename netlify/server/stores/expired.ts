import { deleteSome } from '../db/bounded-delete.ts';
import type { Database } from '../db/database.ts';
import { keptDays } from '../../../src/domain/retention.ts';

/** Rows that are deleted by their age: the table, the rows, the column of the time, and the days that they are kept. */
const expiring: readonly (readonly [table: string, rows: string, column: string, days: number])[] = [
  ['sessions', 'true', 'expires_at', 0],
  ['sessions', 'true', 'seen_at', keptDays.idleSession],
  ['sign_in_tries', 'true', 'ends_at', 0],
  ['share_links', 'true', 'expires_at', 0],
  ['anonymous_bytes', 'true', 'expires_at', 0],
  ['outbox', 'submission IS NULL', 'created_at', 90],
  ['activity', 'true', 'at', keptDays.activity],
  ['posts', 'true', 'deleted_at', keptDays.trashedPost],
  ['unsaved', 'true', 'updated_at', keptDays.unsaved],
];

/** Deletes the rows that nobody needs any longer, in one transaction. */
export function expiredRows(database: Database) {
  return {
    async remove(at: Date): Promise<void> {
      await database.write(
        ...expiring.map(([table, rows, column, days]) => {
          const before = new Date(at.getTime() - days * 24 * 60 * 60_000).toISOString();
          return deleteSome(table, `${rows} AND ${column} < ?`, before);
        }),
      );
    },
  };
}
