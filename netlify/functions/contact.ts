import { randomUUID } from 'node:crypto';
import type { Config } from '@netlify/functions';
import { inquiryInput, inquiryReceipt } from '../../src/domain/inquiry.ts';
import { deliverAll } from '../server/deliver.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { receiveInquiry } from '../server/inquiries.ts';
import { retryKeyOf } from '../server/retry-id.ts';

const draftLifetimeMs = 60 * 60_000;

export default endpoint(
  on('POST', '/api/contact', {
    access: 'public',
    summary: 'Sends an inquiry',
    input: inquiryInput,
    output: inquiryReceipt,
    status: 201,
    // A form without scripts goes on to a page that holds what was typed and says what is wrong with it.
    invalid: async ({ request, fromForm, body, services }, errors) => {
      if (!fromForm || !wantsPage(request)) return null;
      const id = randomUUID();
      const values = Object.fromEntries(
        Object.entries(body as Record<string, string>).filter(([name]) => name in inquiryInput.shape),
      );
      const expiresAt = new Date(services.now().getTime() + draftLifetimeMs).toISOString();
      await services.stores.formDrafts.create(id, { values, errors }, expiresAt);
      return seeOther(`/contact/review?draft=${id}`);
    },
    run: async ({ request, input, body, fromForm, services, waitUntil }) => {
      const key = retryKeyOf(request);
      const receipt = await receiveInquiry(input, { key, fromForm, body }, services);
      waitUntil(deliverAll(services));
      if (fromForm && wantsPage(request)) return seeOther(`/contact/sent?reference=${receipt.reference}`);
      return json(receipt, { status: 201 });
    },
  }),
);

export const config: Config = {
  path: '/api/contact',
  rateLimit: { windowLimit: 20, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
