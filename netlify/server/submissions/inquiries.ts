import type { InquiryInput, InquiryReceipt } from '../../../src/domain/inquiry.ts';
import { referenceOf } from '../../../src/domain/submission.ts';
import type { Services } from '../services.ts';
import { type SubmissionMarks, emptySpool, newSubmission, storeOrSpool } from './submissions.ts';

/**
 * Stores an inquiry. If the database is down, the inquiry waits in the blob store.
 * @throws {Refusal} `unavailable` only if neither the database nor the blob store stores it.
 */
export async function receiveInquiry(
  input: InquiryInput,
  marks: SubmissionMarks,
  { stores, now }: Services,
): Promise<InquiryReceipt> {
  const inquiry = { ...newSubmission(input, input, marks, now()), input };
  const id = await storeOrSpool(inquiry, { kind: 'inquiry', create: stores.inquiries.create, spool: stores.spool });
  return { success: true, id, reference: referenceOf(id) };
}

/** Moves inquiries into the database. They waited in the blob store while the database was down. */
export async function emptyInquirySpool({ stores }: Services): Promise<void> {
  await emptySpool(stores.spool, stores.inquiries.create);
}
