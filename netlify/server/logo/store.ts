import { type LogoDetail, type LogoRecord, defaultLogoPath, logoUrl } from '../../../src/domain/site/logo.ts';
import { type Database, all, change, insert, one, sql } from '../db/database.ts';
import type { StoredFile } from '../http/file-answer.ts';

const defaultName = defaultLogoPath.slice(defaultLogoPath.lastIndexOf('/') + 1);

/** A logo; the default logo has no hash. */
type NewLogo = Omit<StoredFile, 'sha256'> & { readonly sha256: string | null };
type LogoRow = NewLogo & { readonly seq: number; readonly updatedAt: string };

/** `isNew` is false if an earlier request has done the same, whose response the client lacks. */
export interface LogoChange {
  readonly detail: LogoDetail;
  readonly isNew: boolean;
}

/** The version of the default logo before any upload, which has no row. */
const firstVersion = 0;

/** The logo and its previous versions. Their bytes are in the media store. */
export function logoStore(database: Database) {
  const newestTwo = () => all<LogoRow>(database, sql`SELECT * FROM logos ORDER BY seq DESC LIMIT 2`);

  const get = async (): Promise<LogoDetail> => {
    const [current, before] = await newestTwo();
    const { logoFileName } = toRecord(before);
    return {
      data: toRecord(current),
      previous: current ? { version: before?.seq ?? firstVersion, logoFileName } : null,
    };
  };
  /**
   * Adds a logo, unless it is the current one: after a lost response the request is sent again, and the previous logo
   * must stay the one that `restore` shows.
   */
  const put = async ({ fileName, mimeType, size, sha256 }: NewLogo, updatedAt: string): Promise<LogoChange> => {
    const isOther = sql`(${fileName}, ${sha256}) IS NOT (SELECT file_name, sha256 FROM logos ORDER BY seq DESC LIMIT 1)`;
    const added = await change(database, insert('logos', { fileName, mimeType, size, sha256, updatedAt }, isOther));
    return { detail: await get(), isNew: added === 1 };
  };
  const putDefault = (at: string): Promise<LogoChange> =>
    put({ fileName: defaultName, mimeType: '', size: 0, sha256: null }, at);

  return {
    get,
    put,
    putDefault,

    /**
     * Restores an earlier logo. The current logo becomes the previous one.
     * @returns null if the logo is no longer stored.
     */
    async restore(version: number, at: string): Promise<LogoChange | null> {
      if (version === firstVersion) return await putDefault(at);
      const logo = await one<LogoRow>(database, sql`SELECT * FROM logos WHERE seq = ${version}`);
      return logo && (await put(logo, at));
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
