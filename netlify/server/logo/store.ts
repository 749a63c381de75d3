import { type LogoDetail, type LogoRecord, defaultLogoPath, logoUrl } from '../../../src/domain/logo.ts';
import { type Database, type Statement, all, sql } from '../db/database.ts';
import type { StoredFile } from '../http/file-answer.ts';

const defaultName = defaultLogoPath.slice(defaultLogoPath.lastIndexOf('/') + 1);

/** A logo; the default logo has no hash. */
type LogoRow = Omit<StoredFile, 'sha256'> & { readonly seq: number; readonly sha256: string | null } & {
  readonly updatedAt: string;
};

/** The logo and its previous versions. Their bytes are in the media store. */
export function logoStore(database: Database) {
  const newestTwo = () => all<LogoRow>(database, sql`SELECT * FROM logos ORDER BY seq DESC LIMIT 2`);

  const get = async (): Promise<LogoDetail> => {
    const [current, before] = await newestTwo();
    return { data: toRecord(current), previous: current ? toRecord(before).logoFileName : null };
  };
  const put = async (values: Statement): Promise<LogoDetail> => {
    await database.write(sql`INSERT INTO logos (file_name, mime_type, size, sha256, updated_at) ${values}`);
    return await get();
  };
  const putDefault = (at: string): Promise<LogoDetail> => put(sql`VALUES (${defaultName}, '', 0, NULL, ${at})`);

  return {
    get,
    putDefault,

    create: ({ fileName, mimeType, size, sha256 }: StoredFile, at: string): Promise<LogoDetail> =>
      put(sql`VALUES (${fileName}, ${mimeType}, ${size}, ${sha256}, ${at})`),

    /**
     * Restores the previous logo. The current logo becomes the previous one.
     * @returns null if the logo was never changed.
     */
    async restore(at: string): Promise<LogoDetail | null> {
      const [current, before] = await newestTwo();
      if (!current) return null;
      if (!before) return await putDefault(at);
      return await put(sql`SELECT file_name, mime_type, size, sha256, ${at} FROM logos WHERE seq = ${before.seq}`);
    },

    /** Returns the uploaded logo, or null if the site shows its default logo. */
    async file(): Promise<StoredFile | null> {
      const [current] = await newestTwo();
      return current?.sha256 ? { ...current, sha256: current.sha256 } : null;
    },
  };
}

function toRecord(row: LogoRow | undefined): LogoRecord {
  if (!row?.sha256) return { logoUrl, logoFileName: defaultName, updatedAt: null, uploaded: false };
  return { logoUrl, logoFileName: row.fileName, updatedAt: row.updatedAt, uploaded: true };
}
