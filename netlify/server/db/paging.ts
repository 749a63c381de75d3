import type { Row } from '@libsql/client/http';
import type { Page } from '../../../src/domain/paging.ts';
import { Refusal } from '../refusal.ts';
import { type Statement, sql, text } from './database.ts';

/**
 * Creates a page of a list.
 * @param rows `limit` rows, and one more if there is a further page. Each has a `seq`.
 * @param column the column that the list is sorted by.
 */
export function pageFrom<T>(rows: readonly Row[], limit: number, column: string, toRecord: (row: Row) => T): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(toRecord),
    nextCursor: rows.length > limit && last ? cursorOf(text(last[column]), Number(last.seq)) : null,
  };
}

/** Encodes the position of a page's last row, from which the next page starts. */
function cursorOf(value: string, seq: number): string {
  return Buffer.from(JSON.stringify([value, seq])).toString('base64url');
}

/**
 * Returns the SQL condition for the rows after a cursor, in the order of `column` and then `seqColumn`.
 * @throws {Refusal} `invalid_input` if the cursor is malformed.
 */
export function cursorCondition(
  cursor: string,
  column: Statement,
  seqColumn: Statement,
  descending: boolean,
): Statement {
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
  const after = descending ? sql`<` : sql`>`;
  return sql`(${column}, ${seqColumn}) ${after} (${value}, ${seq})`;
}

/**
 * Converts search text to an FTS5 expression. All words must match, and the last one may be the beginning of a word.
 * @returns null if the text has no words.
 */
export function searchExpression(q: string): string | null {
  const words = q.match(/[\p{L}\p{N}]+/gu);
  if (!words) return null;
  return words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`).join(' ');
}
