import { type MediaRecord, lastingUrl } from '../../../src/domain/media.ts';
import { type Database, record, sql } from '../db/database.ts';

/** A file's version in its permanent URL is the beginning of the hash of its bytes. */
export const versionLength = 12;

type FileVersion = Pick<MediaRecord, 'id' | 'version' | 'replacedAt' | 'width' | 'height'>;

/**
 * Parses the relative or absolute URL of a media library file, which may end with a version (`?v=`) and a fragment.
 * Returns the file's id, the URL without these two, and the fragment (`part`). Returns null for a URL of another form.
 */
function fileAddress(address: string): { id: string; url: string; part: string } | null {
  const end = address.search(/[?#]/);
  const url = end === -1 ? address : address.slice(0, end);
  const id = /^\/uploads\/([0-9a-f-]{36})\/[^/]+$/.exec(url.slice(Math.max(0, url.lastIndexOf('/uploads/'))))?.[1];
  const rest = /^(?:\?v=[0-9a-f]+)?(#.*)?$/.exec(end === -1 ? '' : address.slice(end));
  return id && rest ? { id, url, part: rest[1] ?? '' } : null;
}

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
  const rows = await database.read(
    sql`SELECT id, substr(sha256, 1, ${versionLength}) AS version, replaced_at, width, height FROM media
        WHERE id IN (SELECT value FROM json_each(${JSON.stringify([...new Set(ids)])})) AND deleted_at IS NULL`,
  );
  const files = new Map(rows.map((row) => record<FileVersion>(row)).map((file) => [file.id, file]));
  return files.size === 0 ? [...posts] : posts.map((post) => showFiles(post, files));
}

function showFiles<T extends NamesFiles>(post: T, files: ReadonlyMap<string, FileVersion>): T {
  const fileAt = (address: string) => files.get(fileAddress(address)?.id ?? '');
  const shown = (address: string) => {
    const named = fileAddress(address);
    const file = named && files.get(named.id);
    return file ? lastingUrl({ url: named.url, version: file.version }) + named.part : address;
  };
  return {
    ...post,
    featuredImage: post.featuredImage && shown(post.featuredImage),
    ...(post.content !== undefined && {
      content: post.content.replace(/<(?:img|a) [^<>]*>/g, (tag) => {
        const [attribute = '', name = '', address = ''] = / (src|href)="([^"]*)"/.exec(tag) ?? [];
        const file = fileAt(address);
        if (!file) return tag;
        // The replacements are functions, because `replace` treats `$'` and `$&` in a replacement string as patterns.
        const lasting = tag.replace(attribute, () => ` ${name}="${shown(address)}"`);
        const { replacedAt, width, height } = file;
        if (replacedAt === null || width === null || height === null) return lasting;
        return lasting
          .replace(/ width="\d+"/, () => ` width="${width}"`)
          .replace(/ height="\d+"/, () => ` height="${height}"`);
      }),
    }),
  };
}
