import type { InquiryInput, InquiryReceipt } from '../../src/domain/inquiry.ts';
import { referenceOf } from '../../src/domain/submission.ts';
import type { Services } from './services.ts';
import { type SubmissionMarks, emptySpool, newSubmission, storeOrSpool } from './submissions.ts';

/**
 * Takes an inquiry in. It is stored, or kept for the database where that cannot be reached, before this returns.
 * @throws {Refusal} `unavailable` only where neither the database nor the blob store takes it.
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

/** Moves what waited in the blob store into the database. */
export async function emptyInquirySpool({ stores }: Services): Promise<void> {
  await emptySpool(stores.spool, stores.inquiries.create);
}
