import { type MediaRecord, lastingUrl } from '../../../src/domain/site/media.ts';
import { type Database, all, sql } from '../db/database.ts';

/** A file's version in its permanent URL is the beginning of the hash of its bytes. */
export const versionLength = 12;

type FileVersion = Pick<MediaRecord, 'id' | 'version' | 'replacedAt' | 'width' | 'height'>;

/**
 * Matches the relative or absolute URL of a media library file. Its groups are the URL, the file's id, and a fragment. A
 * version (`?v=`) is in no group.
 */
const fileUrl = /^([^?#]*\/uploads\/([0-9a-f-]{36})\/[^/?#]+)(?:\?v=[0-9a-f]+)?(#.*)?$/;

/** The parts of a post that can contain URLs of library files. */
interface NamesFiles {
  /** Sanitized HTML. Every attribute is in double quotes. */
  readonly content?: string | undefined;
  readonly featuredImage: string | null;
}

/**
 * Prepares posts for display: adds versions to the URLs of library files, so browsers can cache each image forever and
 * still show a replacement immediately. Also sets the width and height of a replaced image. The stored posts have URLs
 * without versions.
 */
export async function withCurrentFiles<T extends NamesFiles>(database: Database, posts: readonly T[]): Promise<T[]> {
  const ids = posts.flatMap(({ content = '', featuredImage }) =>
    [...`${featuredImage ?? ''} ${content}`.matchAll(/\/uploads\/([0-9a-f-]{36})\//g)].map(([, id]) => id ?? ''),
  );
  if (ids.length === 0) return [...posts];
  const found = await all<FileVersion>(
    database,
    sql`SELECT id, substr(sha256, 1, ${versionLength}) AS version, replaced_at, width, height FROM media
        WHERE id IN (SELECT value FROM json_each(${JSON.stringify([...new Set(ids)])})) AND deleted_at IS NULL`,
  );
  const files = new Map(found.map((file) => [file.id, file]));
  return files.size === 0 ? [...posts] : posts.map((post) => showFiles(post, files));
}

function showFiles<T extends NamesFiles>(post: T, files: ReadonlyMap<string, FileVersion>): T {
  const shown = (address: string) => {
    const [, url = '', id = '', fragment = ''] = fileUrl.exec(address) ?? [];
    const file = files.get(id);
    return { file, address: file ? lastingUrl({ url, version: file.version }) + fragment : address };
  };
  const shownTag = (tag: string) => {
    const [attribute = '', name = '', named = ''] = / (src|href)="([^"]*)"/.exec(tag) ?? [];
    const { file, address } = shown(named);
    if (!file) return tag;
    // The replacements are functions, because `replace` treats `$'` and `$&` in a replacement string as patterns.
    const lasting = tag.replace(attribute, () => ` ${name}="${address}"`);
    const { replacedAt, width, height } = file;
    if (replacedAt === null || width === null || height === null) return lasting;
    return lasting.replace(/ (width|height)="\d+"/g, (_, side: 'width' | 'height') => ` ${side}="${file[side]}"`);
  };
  return {
    ...post,
    featuredImage: post.featuredImage && shown(post.featuredImage).address,
    ...(post.content !== undefined && { content: post.content.replace(/<(?:img|a) [^<>]*>/g, shownTag) }),
  };
}
