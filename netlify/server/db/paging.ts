import { Refusal } from '../http/refusal.ts';
import { type Statement, sql } from './database.ts';

/** Marks the last row of a page, for the page after it. */
export function cursorOf(value: string, seq: number): string {
  return Buffer.from(JSON.stringify([value, seq])).toString('base64url');
}

/**
 * The rows after a cursor, in the order of `column` and then `seqColumn`.
 * @throws {Refusal} `invalid_input` for a cursor that this server did not give.
 */
export function cursorCondition(cursor: string, column: string, seqColumn: string, descending: boolean): Statement {
  let position: unknown;
  try {
    position = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    position = null;
  }
  const [value, seq] = Array.isArray(position) ? (position as unknown[]) : [];
  if (typeof value !== 'string' || typeof seq !== 'number' || !Number.isSafeInteger(seq)) {
    throw new Refusal('invalid_input', 'The cursor is not one that a list gave. Start again from the first page.', {
      errors: { cursor: 'Unknown cursor.' },
    });
  }
  return sql(`(${column}, ${seqColumn}) ${descending ? '<' : '>'} (?, ?)`, value, seq);
}

/**
 * The full-text expression for what somebody typed: every word must be found, the last one as a beginning.
 * @returns null where there is no word in it.
 */
export function searchExpression(q: string): string | null {
  const words = q.match(/[\p{L}\p{N}]+/gu);
  if (!words) return null;
  return words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`).join(' ');
}
