import type { SectionChange, SectionInput, SectionRecord } from '../../../src/domain/site/section.ts';
import { type Database, all, one, sql } from '../db/database.ts';

export function sectionStore(database: Database) {
  const get = (key: string) => one<SectionRecord>(database, sql`SELECT * FROM sections WHERE section_key = ${key}`);

  return {
    get,

    list: () => all<SectionRecord>(database, sql`SELECT * FROM sections`),

    /**
     * Stores a section's text.
     * @param change.updatedAt the `updatedAt` that the stored section must still have; null if no section may be stored
     *   yet; undefined to store the text in any case.
     * @returns null if this condition is not met, because someone else changed the section. If an earlier request stored
     *   the same text, and its response was lost, returns that section.
     */
    async put(key: string, change: SectionChange, at: string): Promise<SectionRecord | null> {
      const { title, content, metadata, updatedAt } = change;
      const isStill = updatedAt === undefined ? sql`1` : sql`updated_at = ${updatedAt ?? ''}`;
      const mayInsert = updatedAt ? sql`EXISTS (SELECT 1 FROM sections WHERE section_key = ${key})` : sql`1`;
      const [stored] = await database.write(
        sql`INSERT INTO sections (section_key, title, content, metadata, updated_at)
            SELECT ${key}, ${title}, ${content}, ${metadata}, ${at} WHERE ${mayInsert}
            ON CONFLICT (section_key) DO UPDATE SET title = excluded.title, content = excluded.content,
              metadata = excluded.metadata, updated_at = excluded.updated_at
            WHERE ${isStill}`,
      );
      if (stored?.rowsAffected === 1) return { sectionKey: key, title, content, metadata, updatedAt: at };
      const current = await get(key);
      const isSame = current?.title === title && current.content === content && current.metadata === metadata;
      return isSame ? current : null;
    },

    /** Stores missing sections. Existing sections do not change. @returns the keys of the new ones. */
    async addMissing(sections: ReadonlyMap<string, SectionInput>, at: string): Promise<string[]> {
      const keys = [...sections.keys()];
      const results = await database.write(
        ...[...sections].map(
          ([key, { title, content, metadata }]) =>
            sql`INSERT INTO sections (section_key, title, content, metadata, updated_at)
                VALUES (${key}, ${title}, ${content}, ${metadata}, ${at}) ON CONFLICT (section_key) DO NOTHING`,
        ),
      );
      return keys.filter((_, index) => results[index]?.rowsAffected === 1);
    },
  };
}
