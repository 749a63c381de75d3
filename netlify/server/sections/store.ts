import type { SectionChange, SectionInput, SectionRecord } from '../../../src/domain/site/section.ts';
import { type Database, all, change, insert, one, sql } from '../db/database.ts';

export function sectionStore(database: Database) {
  const get = (key: string) => one<SectionRecord>(database, sql`SELECT * FROM sections WHERE section_key = ${key}`);

  return {
    get,

    list: () => all<SectionRecord>(database, sql`SELECT * FROM sections`),

    /**
     * Stores a section's text.
     * @param input.updatedAt the `updatedAt` that the stored section must still have; null if no section may be stored
     *   yet; undefined to store the text in any case.
     * @returns null if this condition is not met, because someone else changed the section. If an earlier request stored
     *   the same text, and its response was lost, returns that section.
     */
    async put(key: string, input: SectionChange, at: string): Promise<SectionRecord | null> {
      const { title, content, metadata, updatedAt } = input;
      const isStill = updatedAt === undefined ? sql`1` : sql`updated_at = ${updatedAt ?? ''}`;
      const mayInsert = updatedAt ? sql`EXISTS (SELECT 1 FROM sections WHERE section_key = ${key})` : sql`1`;
      const section = { sectionKey: key, title, content, metadata, updatedAt: at };
      const stored = await change(
        database,
        sql`${insert('sections', section, mayInsert)}
            ON CONFLICT (section_key) DO UPDATE SET title = excluded.title, content = excluded.content,
              metadata = excluded.metadata, updated_at = excluded.updated_at
            WHERE ${isStill}`,
      );
      if (stored === 1) return section;
      const current = await get(key);
      const isSame = current?.title === title && current.content === content && current.metadata === metadata;
      return isSame ? current : null;
    },

    /** Stores missing sections. Existing sections do not change. @returns the keys of the new ones. */
    async addMissing(sections: ReadonlyMap<string, SectionInput>, at: string): Promise<string[]> {
      const keys = [...sections.keys()];
      const results = await database.write(
        ...[...sections].map(
          ([sectionKey, { title, content, metadata }]) =>
            sql`${insert('sections', { sectionKey, title, content, metadata, updatedAt: at })} ON CONFLICT DO NOTHING`,
        ),
      );
      return keys.filter((_, index) => results[index]?.rowsAffected === 1);
    },
  };
}
