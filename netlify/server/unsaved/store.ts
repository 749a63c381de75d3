import type { Row } from '@libsql/client/http';
import {
  type UnsavedKind,
  type UnsavedRecord,
  type UnsavedSummary,
  unsavedInput,
} from '../../../src/domain/unsaved.ts';
import { type Database, all, change, insert, one, sql, text } from '../db/database.ts';

/** Identifies a record that an admin edits. */
export interface Edited {
  readonly kind: UnsavedKind;
  readonly id: string;
}

/** The server's copies of changes that admins have not saved. An admin has at most one copy for each record. */
export function unsavedStore(database: Database) {
  return {
    /** Lists the changes of all admins, newest first. */
    list: () =>
      all<UnsavedSummary>(
        database,
        sql`SELECT kind, id, email AS "by", coalesce(text ->> 'title', '') AS title, updated_at
            FROM unsaved ORDER BY updated_at DESC LIMIT 500`,
      ),

    /** Returns an admin's changes, else the latest changes of another admin, else null. */
    get: (email: string, { kind, id }: Edited) =>
      one(
        database,
        sql`SELECT * FROM unsaved WHERE kind = ${kind} AND id = ${id}
            ORDER BY email = ${email} DESC, updated_at DESC LIMIT 1`,
        toRecord,
      ),

    /** Returns an admin's own changes, or null. */
    ofAuthor: (email: string, { kind, id }: Edited) =>
      one(database, sql`SELECT * FROM unsaved WHERE kind = ${kind} AND id = ${id} AND email = ${email}`, toRecord),

    /**
     * Stores changes. A note about a submission that was erased is not stored.
     * @param was when the changes to replace were stored; '' for none, undefined for any.
     * @returns false if the author stored other changes meanwhile.
     */
    async put({ kind, id }: Edited, changes: UnsavedRecord, was?: string): Promise<boolean> {
      const { by, base, text: words, older, updatedAt } = changes;
      const [text, earlier] = [JSON.stringify(words), JSON.stringify(older)];
      const row = { email: by, kind, id, base, text, older: earlier, updatedAt };
      const stored = await change(
        database,
        sql`${insert('unsaved', row, sql`${kind} <> 'note' OR ${id} IN (SELECT id FROM submissions)`)}
            ON CONFLICT DO UPDATE SET base = excluded.base, text = excluded.text, older = excluded.older,
              updated_at = excluded.updated_at ${was === undefined ? sql`` : sql`WHERE updated_at = ${was}`}`,
      );
      return stored === 1;
    },

    /** Deletes an admin's changes. The parameter `was` and the result are those of `put`. */
    async remove(email: string, { kind, id }: Edited, was?: string): Promise<boolean> {
      const removed = await change(
        database,
        sql`DELETE FROM unsaved WHERE email = ${email} AND kind = ${kind} AND id = ${id}
            ${was === undefined ? sql`` : sql`AND updated_at = ${was}`}`,
      );
      return removed === 1;
    },
  };
}

function toRecord(row: Row): UnsavedRecord {
  const [words, older] = [row.text, row.older].map((value): unknown => JSON.parse(text(value)));
  const input = unsavedInput.parse({ base: row.base, text: words, older });
  return { ...input, by: text(row.email), updatedAt: text(row.updated_at) };
}
