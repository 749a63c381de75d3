import { type Database, sql } from '../db/database.ts';

/** The most known browsers of one admin. A new one replaces the browser with the oldest sign-in. */
const mostKnown = 20;

/** Browsers in which an admin has signed in. */
export function deviceStore(database: Database) {
  return {
    /** Returns whether the admin signed in with this browser after `since`. */
    async knows(id: string, email: string, since: string): Promise<boolean> {
      const rows = await database.read(
        sql('SELECT 1 FROM known_devices WHERE id = ? AND email = ? AND seen_at > ?', id, email, since),
      );
      return rows.length > 0;
    },

    /** Records a sign-in of an admin in a browser. */
    async put(id: string, email: string, at: string): Promise<void> {
      await database.write(
        sql(
          `INSERT INTO known_devices (id, email, seen_at) VALUES (?, ?, ?)
           ON CONFLICT (id, email) DO UPDATE SET seen_at = excluded.seen_at`,
          id,
          email,
          at,
        ),
        sql(
          `DELETE FROM known_devices WHERE email = ?1 AND id NOT IN
             (SELECT id FROM known_devices WHERE email = ?1 ORDER BY seen_at DESC LIMIT ?2)`,
          email,
          mostKnown,
        ),
      );
    },

    async remove(id: string, email: string): Promise<void> {
      await database.write(sql('DELETE FROM known_devices WHERE id = ? AND email = ?', id, email));
    },

    /** Deletes all known browsers of an admin except one. */
    async removeOthers(email: string, keptId: string | null): Promise<void> {
      await database.write(sql('DELETE FROM known_devices WHERE email = ? AND id <> ?', email, keptId ?? ''));
    },

    async removeBefore(at: string): Promise<void> {
      await database.write(sql('DELETE FROM known_devices WHERE seen_at < ?', at));
    },
  };
}
