import type { Row } from '@libsql/client/http';
import type { Page } from '../../../src/domain/text/paging.ts';
import { Refusal } from '../refusal.ts';
import { type Database, type Statement, rawSql, sql, text } from './database.ts';

/** Which page of a list to read. The list is sorted by a column, and then by `seq`. */
interface PageQuery {
  readonly column: string;
  /** How the column is compared, if that is not its own way: `title COLLATE NOCASE`. */
  readonly order?: string;
  readonly descending: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Returns how many of the first rows a page may have. By default, `limit` is the only limit. */
  readonly fitting?: (rows: readonly Row[]) => number;
}

/**
 * Reads a page of a list.
 * @param select a SELECT that ends with a condition. Its rows have a `seq`.
 * @throws {Refusal} `invalid_input` if the cursor is malformed.
 */
export async function readPage<T>(
  database: Pick<Database, 'read'>,
  select: Statement,
  { column, order = column, descending, limit, cursor, fitting = () => limit }: PageQuery,
  toRecord: (row: Row) => T,
): Promise<Page<T>> {
  const [by, direction, after] = [rawSql(order), rawSql(descending ? 'DESC' : 'ASC'), rawSql(descending ? '<' : '>')];
  const rows = await database.read(
    sql`${select} ${cursor ? sql`AND (${by}, seq) ${after} ${positionOf(cursor)}` : sql``}
        ORDER BY ${by} ${direction}, seq ${direction} LIMIT ${limit + 1}`,
  );
  const page = rows.slice(0, Math.min(limit, fitting(rows)));
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last;
  const nextCursor = hasMore ? Buffer.from(JSON.stringify([text(last[column]), Number(last.seq)])) : null;
  return { data: page.map(toRecord), nextCursor: nextCursor?.toString('base64url') ?? null };
}

/** Returns the values of a page's last row, from which the next page starts. */
function positionOf(cursor: string): Statement {
  let position: unknown;
  try {
    position = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    position = null;
  }
  const [value, seq] = Array.isArray(position) ? (position as unknown[]) : [];
  if (typeof value !== 'string' || typeof seq !== 'number' || !Number.isSafeInteger(seq)) {
    throw new Refusal('invalid_input', 'We lost your place in this list. Start again from the first page.', {
      errors: { cursor: 'Unknown cursor.' },
    });
  }
  return sql`(${value}, ${seq})`;
}

/**
 * Returns the condition for the rows of a table that contain all words of a search. The last word may be the beginning
 * of a word.
 * @returns null if the search has no words.
 */
export function foundBy(table: string, q: string): Statement | null {
  const words = q.match(/[\p{L}\p{N}]+/gu);
  if (!words) return null;
  const expression = words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`).join(' ');
  const index = rawSql(`${table}_words`);
  // The plus in `+seq` keeps SQLite from looking up each match by `seq` and then sorting all matches. SQLite reads the
  // rows from an index that is already in the order of the list.
  return sql`+seq IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ${expression})`;
}
