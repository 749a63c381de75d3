import type { Config } from '@netlify/functions';
import { applicationInput, applicationReceipt, resumeRefusals } from '../../src/domain/application.ts';
import { receiveApplication, receiptOf } from '../server/applications.ts';
import { deliver } from '../server/deliver.ts';
import { documentKindOf } from '../server/files/document-kind.ts';
import { keepFormDraft } from '../server/form-drafts.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { retryKeyOf } from '../server/retry-id.ts';

export default endpoint(
  on('POST', '/api/career-application', {
    access: 'public',
    summary: 'Send a career application with a resume',
    input: applicationInput,
    output: applicationReceipt,
    status: 201,
    file: {
      field: 'resume',
      purpose: 'resume',
      required: resumeRefusals.missing,
      refuse: ({ bytes }) => (documentKindOf(bytes) ? null : resumeRefusals.type),
    },
    // A form without scripts goes on to a page that holds what was typed and says what is wrong with it. Its file has to
    // be chosen once more: no page may choose one.
    invalid: async (call, errors) =>
      call.fromForm && wantsPage(call.request)
        ? await keepFormDraft('/join-team/review', call.body, Object.keys(applicationInput.shape), errors, call)
        : null,
    run: async ({ request, address, input, file, body, fromForm, services, waitUntil }) => {
      const marks = { key: retryKeyOf(request), fromForm, body };
      const id = await receiveApplication(input, file, { marks, address }, services);
      const mail = deliver('mail', services);
      waitUntil(mail);
      waitUntil(deliver('webhook', services));
      const receipt = await receiptOf(id, mail, services);
      if (!fromForm || !wantsPage(request)) return json(receipt, { status: 201 });
      return seeOther(
        `/join-team/sent?${new URLSearchParams({ reference: receipt.reference, mail: receipt.emailSent ? 'sent' : 'later' })}`,
      );
    },
  }),
);

export const config: Config = {
  path: '/api/career-application',
  rateLimit: { windowLimit: 10, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
