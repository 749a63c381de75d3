import type { ApplicationRecord } from '../../../src/domain/application.ts';
import { valueText } from '../../../src/domain/field-text.ts';
import { type InquiryRecord, inquiryFields } from '../../../src/domain/inquiry.ts';

/*
 * The texts of chat messages. The text about a submission omits the visitor's message, phone number, email address and
 * resume. Chats store messages and show them to many people, and the site cannot erase this data there.
 */

export function inquiryText({ id, reference, fullName, company, serviceInterest }: InquiryRecord, siteUrl: string) {
  const service = valueText(inquiryFields.serviceInterest, serviceInterest);
  return `New inquiry ${reference}: ${fullName}, ${company} (${service})\n${siteUrl}/admin?submission=${id}`;
}

export function applicationText({ id, reference, fullName, position }: ApplicationRecord, siteUrl: string) {
  const what = position ? ` (${position})` : '';
  return `New application ${reference}: ${fullName}${what}\n${siteUrl}/admin?application=${id}`;
}

/** Returns a notice for the chat, for when email does not work. */
export function alarmText({ subject, text }: { readonly subject: string; readonly text: string }, siteUrl: string) {
  return `${subject}\n${text}\n${siteUrl}/admin?tab=settings`;
}
