import { apiPaths } from '../../src/domain/api-paths.ts';
import { inquiryFields, inquiryReceipt } from '../../src/domain/inquiry.ts';
import { deliverAll } from '../server/mail/deliver.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { showFormAgain } from '../server/submissions/refused-form.ts';
import { receiveInquiry, sentForm } from '../server/submissions/receive.ts';
import { retryKeyOf } from '../server/http/body.ts';

export default endpoint(
  { requestsAMinute: 20 },
  on('POST', apiPaths.contact, {
    access: 'public',
    summary: 'Sends an inquiry',
    input: sentForm(inquiryFields),
    output: inquiryReceipt,
    status: 201,
    example: {
      input: {
        fullName: 'Dana Whitfield',
        email: 'dana@example.com',
        company: 'Whitfield Foods',
        serviceInterest: 'project-recovery',
        message: 'Our go-live slipped twice. Can you help?',
      },
      output: { success: true, id: '8f1c2d3e-5a6b-8c7d-8e9f-0a1b2c3d4e5f', reference: '7K3M-9QXD' },
    },
    invalid: showFormAgain('/contact'),
    run: async ({ request, address, input: { website, fillMs, ...input }, fromForm, services, waitUntil }) => {
      const marks = { key: retryKeyOf(request), fromForm, website, fillMs };
      const receipt = await receiveInquiry(input, { marks, address }, services);
      waitUntil(deliverAll(services));
      if (fromForm && wantsPage(request)) return seeOther(`/contact/sent?reference=${receipt.reference}`);
      return json(receipt, { status: 201 });
    },
  }),
);
