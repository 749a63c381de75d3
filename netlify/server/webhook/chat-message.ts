import type { ApplicationRecord } from '../../../src/domain/application.ts';
import { valueText } from '../../../src/domain/field-text.ts';
import { type InquiryRecord, inquiryFields } from '../../../src/domain/inquiry.ts';
import { site } from '../../../src/site.config.ts';
import type { NoticeRecord } from '../stores/notices.ts';

/**
 * A chat message about a submission, a test or a fault. For a submission, it omits the visitor's message, phone number,
 * email address and resume. Chats store messages and show them to many people, and the site cannot erase this data
 * there.
 */
export interface ChatMessage {
  readonly kind: 'inquiry' | 'application' | 'test' | 'alarm';
  /** The heading, without any text from the visitor. */
  readonly title: string;
  readonly reference?: string;
  /** The visitor's name, as entered. */
  readonly name?: string;
  /** For an alarm: what happened, and what to do. */
  readonly words?: string;
  /** For an inquiry. */
  readonly company?: string;
  /** For an inquiry: the label of the service. */
  readonly service?: string;
  /** For an application; empty if the applicant chose no position. */
  readonly position?: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  readonly adminUrl: string;
}

export function inquiryMessage(inquiry: InquiryRecord, siteUrl: string): ChatMessage {
  const { reference, fullName: name, company, createdAt: receivedAt } = inquiry;
  const service = valueText(inquiryFields.serviceInterest, inquiry.serviceInterest);
  const adminUrl = `${siteUrl}/admin?submission=${inquiry.id}`;
  return { kind: 'inquiry', title: 'New inquiry', reference, name, company, service, receivedAt, adminUrl };
}

export function applicationMessage(application: ApplicationRecord, siteUrl: string): ChatMessage {
  const { reference, fullName: name, position, createdAt: receivedAt } = application;
  const adminUrl = `${siteUrl}/admin?application=${application.id}`;
  return { kind: 'application', title: 'New application', reference, name, position, receivedAt, adminUrl };
}

/** Returns a notice as a chat message, for when email does not work. */
export function alarmMessage(
  { subject, text, createdAt }: Omit<NoticeRecord, 'id' | 'recipient'>,
  siteUrl: string,
): ChatMessage {
  const adminUrl = `${siteUrl}/admin?tab=settings`;
  return { kind: 'alarm', title: subject, words: text, receivedAt: createdAt, adminUrl };
}

/** Returns the test message that an admin can send to the chat. @param receivedAt the current time. */
export function testMessage(siteUrl: string, receivedAt: string): ChatMessage {
  return {
    kind: 'test',
    title: 'Test message',
    reference: '0000-0000',
    name: site.name,
    receivedAt,
    adminUrl: `${siteUrl}/admin?tab=settings`,
  };
}
