import { setImmediate as turn } from 'node:timers/promises';
import type { ApplicationRecord } from '../../../src/domain/application.ts';
import type { Fields } from '../../../src/domain/field.ts';
import { shortLabel, valueText } from '../../../src/domain/field-text.ts';
import type { InquiryRecord } from '../../../src/domain/inquiry.ts';
import { type Page, maxPageSize } from '../../../src/domain/paging.ts';
import { byteOrderMark, csvRow } from '../http/csv.ts';

/**
 * Returns a CSV file of every submission that a list's query finds. Reads the list page by page while the file is sent.
 * @param name the file name without date and extension.
 * @param fields the fields of the records. Each is a column.
 * @param others further columns after the fields.
 * @param list reads a page of the query.
 * @param finished is called when the file is complete, has failed, or the client has canceled.
 */
export function submissionsCsv<T extends InquiryRecord | ApplicationRecord>(
  name: string,
  fields: Fields,
  others: Readonly<Record<string, (record: T) => string>>,
  list: (next: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
  at: Date,
  finished: () => void,
): Response {
  const columns: Readonly<Record<string, (record: T) => string>> = {
    Reference: ({ reference }) => reference,
    'Received (UTC)': ({ createdAt }) => createdAt,
    ...Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        shortLabel(field),
        (record: T) => valueText(field, String(record[name as keyof T])),
      ]),
    ),
    ...others,
    Status: ({ status }) => status,
    'Email to firm': ({ delivery }) => delivery.firm.status,
    'Email to sender': ({ delivery }) => delivery.sender.status,
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
      // An embedded database responds within the same turn of the event loop. Without this pause between two pages,
      // other requests would wait for the whole export.
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
