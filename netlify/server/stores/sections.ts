import type { Row } from '@libsql/client/http';
import {
  type SectionChange,
  type SectionInput,
  type SectionRecord,
  sectionRecord,
} from '../../../src/domain/section.ts';
import { type Database, sql } from '../db/database.ts';

export function sectionStore(database: Database) {
  return {
    async get(key: string): Promise<SectionRecord | null> {
      const [row] = await database.read(sql('SELECT * FROM sections WHERE section_key = ?', key));
      return row ? toRecord(row) : null;
    },

    async list(): Promise<SectionRecord[]> {
      return (await database.read(sql('SELECT * FROM sections'))).map(toRecord);
    },

    /**
     * Stores a section's text.
     * @param change.updatedAt the `updatedAt` that the stored section must still have; null if no section may be stored
     *   yet; undefined to store the text in any case.
     * @returns null if this condition is not met, because someone else changed the section.
     */
    async put(key: string, change: SectionChange, at: string): Promise<SectionRecord | null> {
      const { title, content, metadata, updatedAt } = change;
      const [stored] = await database.write(
        sql(
          `INSERT INTO sections (section_key, title, content, metadata, updated_at)
           SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?6 <> 'same' OR EXISTS (SELECT 1 FROM sections WHERE section_key = ?1)
           ON CONFLICT (section_key) DO UPDATE SET title = excluded.title, content = excluded.content,
             metadata = excluded.metadata, updated_at = excluded.updated_at
           WHERE ?6 = 'any' OR (?6 = 'same' AND updated_at = ?7)`,
          key,
          title,
          content,
          metadata,
          at,
          updatedAt === undefined ? 'any' : updatedAt === null ? 'none' : 'same',
          updatedAt ?? '',
        ),
      );
      return stored?.rowsAffected === 1 ? { sectionKey: key, title, content, metadata, updatedAt: at } : null;
    },

    /** Stores missing sections. Existing sections do not change. @returns the keys of the new ones. */
    async addMissing(sections: ReadonlyMap<string, SectionInput>, at: string): Promise<string[]> {
      const keys = [...sections.keys()];
      const results = await database.write(
        ...[...sections].map(([key, { title, content, metadata }]) =>
          sql(
            `INSERT INTO sections (section_key, title, content, metadata, updated_at) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (section_key) DO NOTHING`,
            ...[key, title, content, metadata, at],
          ),
        ),
      );
      return keys.filter((_, index) => results[index]?.rowsAffected === 1);
    },
  };
}

function toRecord(row: Row): SectionRecord {
  return sectionRecord.parse({
    sectionKey: row.section_key,
    title: row.title,
    content: row.content,
    metadata: row.metadata,
    updatedAt: row.updated_at,
  });
}
