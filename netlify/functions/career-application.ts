import { apiPaths } from '../../src/domain/api-paths.ts';
import { applicationFields, applicationReceipt, resumeRefusals } from '../../src/domain/application.ts';
import { receiveApplication, receiptOf, sentForm } from '../server/submissions/receive.ts';
import { deliver } from '../server/mail/deliver.ts';
import { documentKindOf } from '../server/files/document-kind.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { showFormAgain } from '../server/submissions/refused-form.ts';
import { retryKeyOf } from '../server/http/body.ts';

export default endpoint(
  { requestsAMinute: 10 },
  on('POST', apiPaths.careerApplication, {
    access: 'public',
    summary: 'Send a career application with a resume',
    input: sentForm(applicationFields),
    output: applicationReceipt,
    status: 201,
    file: {
      field: 'resume',
      purpose: 'resume',
      required: resumeRefusals.missing,
      refuse: ({ bytes }) => (documentKindOf(bytes) ? null : resumeRefusals.type),
    },
    invalid: showFormAgain('/join-team', { resume: 'Please choose your resume again.' }),
    run: async ({ request, address, input: sent, file, fromForm, services, waitUntil }) => {
      const { website, fillMs, ...input } = sent;
      const marks = { key: retryKeyOf(request), fromForm, website, fillMs };
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
