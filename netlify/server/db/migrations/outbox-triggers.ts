/**
 * Returns triggers that add a submission's two emails to the outbox and remove them, in the submission's transaction.
 */
export const mailed = (kind: string, table: string): string[] => [
  `CREATE TRIGGER ${table}_mailed AFTER INSERT ON ${table} WHEN new.status = 'inbox' BEGIN
     INSERT INTO outbox (kind, id, audience, status, due_at)
     VALUES ('${kind}', new.id, 'firm', 'waiting', new.created_at), ('${kind}', new.id, 'sender', 'waiting', new.created_at);
   END`,
  `CREATE TRIGGER ${table}_released AFTER UPDATE OF status ON ${table} WHEN new.status = 'inbox' BEGIN
     INSERT INTO outbox (kind, id, audience, status, due_at)
     VALUES ('${kind}', new.id, 'firm', 'waiting', new.created_at), ('${kind}', new.id, 'sender', 'waiting', new.created_at)
     ON CONFLICT (kind, id, audience) DO NOTHING;
   END`,
  `CREATE TRIGGER ${table}_unmailed AFTER DELETE ON ${table} BEGIN
     DELETE FROM outbox WHERE kind = '${kind}' AND id = old.id;
   END`,
];

/**
 * Returns statements that copy the outbox into a table with other CHECK constraints, because SQLite cannot change a
 * CHECK. The statements drop the triggers of {@link mailed} and the given indexes. The migration must create the
 * triggers and indexes again.
 */
export const rebuiltOutbox = ({
  indexes,
  former,
  checks,
}: {
  readonly indexes: readonly string[];
  readonly former: string;
  readonly checks: Readonly<Record<'kind' | 'audience' | 'status', string>>;
}): string[] => [
  ...['inquiries', 'applications'].flatMap((table) =>
    ['mailed', 'released', 'unmailed'].map((when) => `DROP TRIGGER ${table}_${when}`),
  ),
  ...indexes.map((index) => `DROP INDEX ${index}`),
  `ALTER TABLE outbox RENAME TO ${former}`,
  `CREATE TABLE outbox (
         kind TEXT NOT NULL${checks.kind},
         id TEXT NOT NULL,
         audience TEXT NOT NULL${checks.audience},
         status TEXT NOT NULL${checks.status},
         generation INTEGER NOT NULL DEFAULT 1,
         attempts INTEGER NOT NULL DEFAULT 0,
         first_tried_at TEXT,
         due_at TEXT NOT NULL,
         leased_until TEXT,
         sent_at TEXT,
         error TEXT,
         PRIMARY KEY (kind, id, audience)
       ) STRICT, WITHOUT ROWID`,
  `INSERT INTO outbox
         SELECT kind, id, audience, status, generation, attempts, first_tried_at, due_at, leased_until, sent_at, error
         FROM ${former}`,
  `DROP TABLE ${former}`,
];

/**
 * Returns a trigger that rejects a row without messages in the outbox. A store adds the messages before the row, in the
 * same transaction (`addMessages` in `stores/outbox.ts`). An older version of the site, which expects a trigger to add
 * the messages, therefore fails instead of silently sending nothing.
 */
export const needsMessages = (kind: string, table: string, when: string, condition = 'true'): string =>
  `CREATE TRIGGER ${table}_need_messages_${when.split(' ', 1)[0]?.toLowerCase()} AFTER ${when} ON ${table}
   WHEN ${condition} AND NOT EXISTS (SELECT 1 FROM outbox WHERE kind = '${kind}' AND id = new.id) BEGIN
     SELECT RAISE(ABORT, 'no messages in the outbox');
   END`;
