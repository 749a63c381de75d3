import { serviceInterestLabel } from '../../src/domain/inquiry.ts';
import { maxPageSize } from '../../src/domain/paging.ts';
import type { SubmissionListQuery } from '../../src/domain/submission.ts';
import { byteOrderMark, csvRow } from './http/csv.ts';
import type { Services } from './services.ts';

/** Every inquiry that a list's query finds, as a file, read page by page while it is sent. */
export function inquiriesCsv(query: SubmissionListQuery, { stores, now }: Services): Response {
  async function* rows(): AsyncGenerator<string> {
    yield byteOrderMark;
    yield csvRow([
      'Reference',
      'Received (UTC)',
      'Name',
      'Email',
      'Company',
      'Service',
      'Message',
      'Status',
      'Mail to firm',
      'Mail to sender',
    ]);
    let cursor: string | undefined;
    do {
      const page = await stores.inquiries.list({ ...query, limit: maxPageSize, cursor });
      let text = '';
      for (const inquiry of page.data) {
        text += csvRow([
          inquiry.reference,
          inquiry.createdAt,
          inquiry.fullName,
          inquiry.email,
          inquiry.company,
          serviceInterestLabel(inquiry.serviceInterest),
          inquiry.message,
          inquiry.status,
          inquiry.delivery.firm.status,
          inquiry.delivery.sender.status,
        ]);
      }
      yield text;
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
  }
  const text = rows();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await text.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await text.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="inquiries-${now().toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
