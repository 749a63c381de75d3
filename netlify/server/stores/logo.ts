import type { Row } from '@libsql/client/http';
import { type LogoDetail, type LogoRecord, defaultLogoPath, logoUrl } from '../../../src/domain/logo.ts';
import { type Database, sql, text } from '../db/database.ts';
import { type StoredFile, storedFileOf } from './media.ts';

const defaultName = defaultLogoPath.slice(defaultLogoPath.lastIndexOf('/') + 1);

/** The logo and its previous versions. Their bytes are in the media store. */
export function logoStore(database: Database) {
  const newestTwo = async (): Promise<Row[]> =>
    await database.read(sql('SELECT * FROM logos ORDER BY seq DESC LIMIT 2'));

  const get = async (): Promise<LogoDetail> => {
    const [current, before] = await newestTwo();
    return {
      data: toRecord(current),
      previous: current ? toRecord(before).logoFileName : null,
      sha256: current && current.sha256 !== null ? text(current.sha256) : null,
    };
  };

  const put = async (statement: string, ...args: (string | number | null)[]): Promise<LogoDetail> => {
    await database.write(
      sql(`INSERT INTO logos (file_name, mime_type, size, sha256, updated_at) ${statement}`, ...args),
    );
    return await get();
  };
  const putDefault = (at: string): Promise<LogoDetail> => put(`VALUES (?, '', 0, NULL, ?)`, defaultName, at);

  return {
    get,
    putDefault,

    async create(file: StoredFile, at: string): Promise<LogoDetail> {
      return await put('VALUES (?, ?, ?, ?, ?)', file.fileName, file.mimeType, file.size, file.sha256, at);
    },

    /**
     * Restores the previous logo. The current logo becomes the previous one.
     * @returns null if the logo was never changed.
     */
    async restore(at: string): Promise<LogoDetail | null> {
      const [current, before] = await newestTwo();
      if (!current) return null;
      if (!before) return await putDefault(at);
      return await put('SELECT file_name, mime_type, size, sha256, ? FROM logos WHERE seq = ?', at, Number(before.seq));
    },

    /** Returns the uploaded logo, or null if the site shows its default logo. */
    async file(): Promise<StoredFile | null> {
      const [row] = await newestTwo();
      return row && row.sha256 !== null ? storedFileOf(row) : null;
    },
  };
}

function toRecord(row: Row | undefined): LogoRecord {
  if (!row || row.sha256 === null) return { logoUrl, logoFileName: defaultName, updatedAt: null, uploaded: false };
  return { logoUrl, logoFileName: text(row.file_name), updatedAt: text(row.updated_at), uploaded: true };
}
