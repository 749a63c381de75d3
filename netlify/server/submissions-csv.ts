import { setImmediate as turn } from 'node:timers/promises';
import type { ApplicationRecord } from '../../src/domain/application.ts';
import type { InquiryRecord } from '../../src/domain/inquiry.ts';
import { type Page, maxPageSize } from '../../src/domain/paging.ts';
import { byteOrderMark, csvRow } from './http/csv.ts';

/**
 * Every submission that a list's query finds, as a file, read page by page while it is sent.
 * @param name the file's, without its date.
 * @param own the columns of this kind, between those that every submission has.
 * @param list reads a page of the query.
 * @param finished is called when the file has been read to its end, or given up.
 */
export function submissionsCsv<T extends InquiryRecord | ApplicationRecord>(
  name: string,
  own: Readonly<Record<string, (record: T) => string>>,
  list: (next: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
  at: Date,
  finished: () => void,
): Response {
  const columns: Readonly<Record<string, (record: T) => string>> = {
    Reference: ({ reference }) => reference,
    'Received (UTC)': ({ createdAt }) => createdAt,
    Name: ({ fullName }) => fullName,
    Email: ({ email }) => email,
    ...own,
    Status: ({ status }) => status,
    'Mail to firm': ({ delivery }) => delivery.firm.status,
    'Mail to sender': ({ delivery }) => delivery.sender.status,
    'Handled (UTC)': ({ handledAt }) => handledAt ?? '',
    Note: ({ note }) => note,
  };
  const read = Object.values(columns);
  async function* rows(): AsyncGenerator<string> {
    yield byteOrderMark;
    yield csvRow(Object.keys(columns));
    let cursor: string | undefined;
    do {
      const page = await list({ limit: maxPageSize, cursor });
      yield page.data.map((record) => csvRow(read.map((cell) => cell(record)))).join('');
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
  }
  const text = rows();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A database in this process answers within the turn of the event loop that asks: without one of their own between
      // two pages, visitors would wait until the whole file is read.
      await turn();
      try {
        const next = await text.next();
        if (!next.done) return controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        finished();
        throw error;
      }
      finished();
      controller.close();
    },
    async cancel() {
      finished();
      await text.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}-${at.toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
