import { apiPaths } from '../../../src/domain/api-paths.ts';
import {
  applicationFields,
  applicationOutcome,
  applicationReceipt,
  resumeRefusals,
} from '../../../src/domain/submissions/application.ts';
import { inquiryFields, inquiryReceipt } from '../../../src/domain/submissions/inquiry.ts';
import { referenceOf } from '../../../src/domain/submissions/submission.ts';
import { documentKindOf } from '../files/document-kind.ts';
import { on } from '../http/endpoint.ts';
import { json, seeOther, wantsPage } from '../http/respond.ts';
import { deliver, deliverAll } from '../mail/deliver.ts';
import type { Services } from '../services.ts';
import { within } from '../time/within.ts';
import { receive, sentForm, type SentForm } from './receive.ts';
import { showFormAgain } from './refused-form.ts';

export const inquiryForm = on('POST', apiPaths.contact, {
  access: 'public',
  summary: 'Sends an inquiry',
  input: sentForm(inquiryFields),
  output: inquiryReceipt,
  status: 201,
  invalid: showFormAgain('/contact'),
  run: async (call) => {
    const { services, waitUntil } = call;
    const id = await receive('inquiry', call, services);
    waitUntil(deliverAll(services));
    const reference = referenceOf(id);
    return answer(call, { success: true, id, reference }, `/contact/sent?reference=${reference}`);
  },
});

export const applicationForm = on('POST', apiPaths.careerApplication, {
  access: 'public',
  summary: 'Sends a career application with a resume',
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
  run: async (call) => {
    const { services, waitUntil } = call;
    const id = await receive('application', call, services);
    const mail = deliver('mail', services);
    waitUntil(Promise.all([mail, deliver('webhook', services)]));
    const emailSent = await isEmailedSoon(id, mail, services);
    const reference = referenceOf(id);
    return answer(
      call,
      { success: true, emailSent, message: applicationOutcome(emailSent), reference },
      `/join-team/sent?reference=${reference}&mail=${emailSent ? 'sent' : 'later'}`,
    );
  },
});

/** Responds with a receipt, or leads a form without JavaScript to a page. */
function answer(
  { request, fromForm }: Pick<SentForm, 'request' | 'fromForm'>,
  receipt: object,
  page: string,
): Response {
  return fromForm && wantsPage(request) ? seeOther(page) : json(receipt, { status: 201 });
}

/**
 * How long the response to an applicant waits for the email to HR to be sent, in milliseconds. After that, the email is
 * sent in the background.
 */
const mailPatienceMs = 2_000;

/**
 * Returns whether the email server has already accepted the email to HR.
 * @param mail settles when the outbox has tried to send the application's emails.
 */
async function isEmailedSoon(id: string, mail: Promise<void>, { stores }: Services): Promise<boolean> {
  await within(mail, mailPatienceMs).catch(() => undefined);
  const stored = await stores.submissions.get('application', id).catch(() => null);
  return stored?.delivery.firm.status === 'sent';
}
