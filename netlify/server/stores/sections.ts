import type { Row } from '@libsql/client/http';
import { type SectionInput, type SectionKey, type SectionRecord, sectionRecord } from '../../../src/domain/section.ts';
import { type Database, sql } from '../db/database.ts';

export function sectionStore(database: Database) {
  return {
    async get(key: SectionKey): Promise<SectionRecord | null> {
      const [row] = await database.read(sql('SELECT * FROM sections WHERE section_key = ?', key));
      return row ? toRecord(row) : null;
    },

    async list(): Promise<SectionRecord[]> {
      return (await database.read(sql('SELECT * FROM sections'))).map(toRecord);
    },

    async put(key: SectionKey, input: SectionInput, at: string): Promise<SectionRecord> {
      const { title, content, metadata } = input;
      await database.write(
        sql(
          `INSERT INTO sections (section_key, title, content, metadata, updated_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (section_key) DO UPDATE SET title = excluded.title, content = excluded.content,
             metadata = excluded.metadata, updated_at = excluded.updated_at`,
          key,
          title,
          content,
          metadata,
          at,
        ),
      );
      return { sectionKey: key, title, content, metadata, updatedAt: at };
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
