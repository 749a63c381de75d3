import { randomUUID } from 'node:crypto';
import {
  type InquiryInput,
  type InquiryReceipt,
  inquiryMarks,
  minimumFillMs,
  referenceOf,
} from '../../src/domain/inquiry.ts';
import { Refusal } from './http/refusal.ts';
import { logError } from './log.ts';
import { idOf } from './retry-id.ts';
import type { Services } from './services.ts';
import { suspicionsAbout } from './spam.ts';
import type { NewInquiry } from './stores/inquiries.ts';

/** A native form has no key of its own: the same words sent again within this time are the same inquiry. */
const sameFormWindowMs = 10 * 60_000;

/**
 * Takes an inquiry in. It is stored, or kept for the database where that cannot be reached, before this returns.
 * The id is made of the retry's key and the words, so that the same submission is the same row wherever it is kept, and
 * words that were changed after a failed try are never taken for the ones before.
 * @param key the `Idempotency-Key` header.
 * @throws {Refusal} `unavailable` only where neither the database nor the blob store takes it.
 */
export async function receiveInquiry(
  input: InquiryInput,
  marks: { key: string | null; fromForm: boolean; body: unknown },
  services: Services,
): Promise<InquiryReceipt> {
  const at = services.now();
  const suspicions = suspicionsAbout(input, {
    honeypot: markOf(marks.body, inquiryMarks.honeypot),
    filledTooFast: fillTimeOf(marks.body) < minimumFillMs,
  });
  const window = Math.floor(at.getTime() / sameFormWindowMs);
  const formId = (index: number) => idOf(`form:${index}`, input);
  const inquiry: NewInquiry = {
    id: marks.key ? idOf(`key:${marks.key}`, input) : marks.fromForm ? formId(window) : randomUUID(),
    ...(!marks.key && marks.fromForm && { unlessStored: formId(window - 1) }),
    input,
    status: suspicions.length > 0 ? 'quarantine' : 'inbox',
    suspicions,
    createdAt: at.toISOString(),
  };
  const id = await store(inquiry, services);
  return { success: true, id, reference: referenceOf(id) };
}

async function store(inquiry: NewInquiry, { stores }: Services): Promise<string> {
  try {
    return (await stores.inquiries.create(inquiry)).id;
  } catch (error) {
    logError('database did not take an inquiry; it waits in the blob store', { inquiry: inquiry.id }, error);
  }
  try {
    await stores.spool.keep(inquiry);
    return inquiry.id;
  } catch (error) {
    logError('neither store took an inquiry', { inquiry: inquiry.id }, error);
    throw new Refusal('unavailable', 'We could not store your message just now. Please try again later.');
  }
}

/** Moves what waited in the blob store into the database. @returns how many inquiries it moved. */
export async function emptySpool({ stores }: Services): Promise<number> {
  let moved = 0;
  for (const key of await stores.spool.keys()) {
    const inquiry = await stores.spool.get(key);
    if (inquiry) await stores.inquiries.create(inquiry);
    await stores.spool.remove(key);
    moved += 1;
  }
  return moved;
}

function markOf(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null) return '';
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Milliseconds, or infinity where there is no usable mark. */
function fillTimeOf(body: unknown): number {
  const mark = markOf(body, inquiryMarks.fillTime);
  return /^\d{1,12}$/.test(mark) ? Number(mark) : Number.POSITIVE_INFINITY;
}
