import type { Config } from '@netlify/functions';
import { inquiryInput, inquiryReceipt } from '../../src/domain/inquiry.ts';
import { deliverAll } from '../server/deliver.ts';
import { keepFormDraft } from '../server/form-drafts.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { receiveInquiry } from '../server/inquiries.ts';
import { retryKeyOf } from '../server/retry-id.ts';

export default endpoint(
  on('POST', '/api/contact', {
    access: 'public',
    summary: 'Sends an inquiry',
    input: inquiryInput,
    output: inquiryReceipt,
    status: 201,
    // A form without scripts goes on to a page that holds what was typed and says what is wrong with it.
    invalid: async (call, errors) =>
      call.fromForm && wantsPage(call.request)
        ? await keepFormDraft('/contact/review', call.body, Object.keys(inquiryInput.shape), errors, call)
        : null,
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
