import { ReadableStream } from 'node:stream/web';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Fields, shortLabel, shownFields } from '../../../src/domain/field.ts';
import { type Page, maxPageSize } from '../../../src/domain/text/paging.ts';
import { folderOf } from '../../../src/domain/submissions/submission.ts';
import { type Submission, isApplication } from '../../../src/domain/submissions/submission-kinds.ts';
import { attachmentHeaders } from '../http/file-answer.ts';
import { turns } from '../time/turns.ts';

/** Runs at most two exports at the same time, because an export reads a whole table. */
export const inExportTurn = turns({
  atOnce: 2,
  waiting: 6,
  busy: 'Too many exports are running. Please try again in a moment.',
});

/** After this many milliseconds, a download frees its slot in the queue, because a slow download causes little load. */
const longestTurn = 60_000;

/** Reads a page of a list's query. */
type ReadPage = (next: { limit: number; cursor: string | undefined }) => Promise<Page<Submission>>;

/**
 * Waits for a slot in the queue, then returns a CSV file of every submission that a list's query finds. The list is read
 * page by page while the file is sent.
 * @param name the file name without date and extension.
 * @throws {Refusal} `unavailable` if too many exports are waiting.
 */
export async function submissionsCsv(name: string, fields: Fields, list: ReadPage, at: Date): Promise<Response> {
  const headers = attachmentHeaders(`${name}-${at.toISOString().slice(0, 10)}.csv`, 'text/csv; charset=utf-8');
  return await new Promise((respond, refuse) => {
    inExportTurn(async () => {
      const { readable, writable } = new TextEncoderStream();
      respond(new Response(readable, { headers }));
      const sent = ReadableStream.from(csvText(fields, list)).pipeTo(writable);
      await Promise.race([sent, setTimeout(longestTurn, undefined, { ref: false })]);
    }).catch(refuse);
  });
}

async function* csvText(fields: Fields, list: ReadPage): AsyncGenerator<string> {
  const columns: Readonly<Record<string, (submission: Submission) => string>> = {
    Reference: ({ reference }) => reference,
    'Received (UTC)': ({ createdAt }) => createdAt,
    ...Object.fromEntries(
      Object.values(fields).map((field, index) => [
        shortLabel(field),
        (submission: Submission) => shownFields(fields, submission)[index]?.text ?? '',
      ]),
    ),
    ...('coverLetter' in fields && {
      Resume: (submission: Submission) => (isApplication(submission) ? submission.resume.name : ''),
    }),
    Status: (submission) => folderOf(submission),
    'Email to the firm': ({ delivery }) => delivery.firm.status,
    'Acknowledgment to the sender': ({ delivery }) => delivery.sender.status,
    'Handled (UTC)': ({ handledAt }) => handledAt ?? '',
    Note: ({ note }) => note,
  };
  yield byteOrderMark + csvRow(Object.keys(columns));
  let cursor: string | undefined;
  do {
    // An embedded database responds within the same turn of the event loop. Without this pause between two pages, other
    // requests would wait for the whole export.
    await setImmediate();
    const page = await list({ limit: maxPageSize, cursor });
    yield page.data.map((submission) => csvRow(Object.values(columns).map((cell) => cell(submission)))).join('');
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
}

/** Excel reads a file as UTF-8 only if it begins with this mark. */
const byteOrderMark = '\ufeff';

/** Returns a row of CSV (RFC 4180). */
function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${inert(cell).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/**
 * Puts an apostrophe before each text that a spreadsheet would read as a formula, so opening an export never runs what a
 * visitor typed. In many countries, Excel separates cells by semicolons. There, a semicolon or a line break in a text
 * begins a cell. Spaces, invisible characters and quotation marks may precede the sign of a formula, which may also be
 * in full width.
 */
function inert(cell: string): string {
  const formula = /^[\s\p{Cf}\p{Cc}"]*[=+\-@＝＋－＠]/u;
  const parts = cell.split(/(?<=[;\t\n])/);
  return parts.map((part) => (formula.test(part) ? `'${part}` : part)).join('');
}
