import type { ApplicationRecord } from '../../../src/domain/application.ts';
import { type InquiryRecord, serviceInterestLabel } from '../../../src/domain/inquiry.ts';
import { site } from '../../../src/site.config.ts';
import type { Outcome } from '../deliver.ts';
import type { Services } from '../services.ts';
import type { NoticeRecord } from '../stores/notices.ts';
import type { DueMessage } from '../stores/outbox.ts';

/**
 * What the firm's chat is told of a submission. A chat keeps things for ever and shows them to many: the message, the
 * phone number, the e-mail address and the resume are left in the inbox, where they can be erased.
 */
export interface Notice {
  readonly kind: 'inquiry' | 'application' | 'test' | 'alarm';
  /** What it is, in a line that holds nothing of the visitor's. */
  readonly title: string;
  readonly reference?: string;
  /** As the visitor wrote it. */
  readonly name?: string;
  /** Of an alarm: what happened, and what to do. */
  readonly words?: string;
  /** Of an inquiry. */
  readonly company?: string;
  /** Of an inquiry, as it is called. */
  readonly service?: string;
  /** Of an application; empty where none was chosen. */
  readonly position?: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  readonly adminUrl: string;
}

function inquiryNotice(inquiry: InquiryRecord, siteUrl: string): Notice {
  const { reference, fullName: name, company, createdAt: receivedAt } = inquiry;
  const service = serviceInterestLabel(inquiry.serviceInterest);
  const adminUrl = `${siteUrl}/admin?submission=${inquiry.id}`;
  return { kind: 'inquiry', title: 'New inquiry', reference, name, company, service, receivedAt, adminUrl };
}

function applicationNotice(application: ApplicationRecord, siteUrl: string): Notice {
  const { reference, fullName: name, position, createdAt: receivedAt } = application;
  const adminUrl = `${siteUrl}/admin?application=${application.id}`;
  return { kind: 'application', title: 'New application', reference, name, position, receivedAt, adminUrl };
}

/** What the site tells its admins where email is what broke. */
export function alarmNotice(
  { subject, text, createdAt }: Omit<NoticeRecord, 'id' | 'recipient'>,
  siteUrl: string,
): Notice {
  const adminUrl = `${siteUrl}/admin?tab=settings`;
  return { kind: 'alarm', title: subject, words: text, receivedAt: createdAt, adminUrl };
}

/** For an admin who wants to know whether messages reach the chat. @param receivedAt now. */
export function testNotice(siteUrl: string, receivedAt: string): Notice {
  return {
    kind: 'test',
    title: 'Test message',
    reference: '0000-0000',
    name: site.name,
    receivedAt,
    adminUrl: `${siteUrl}/admin?tab=settings`,
  };
}

/**
 * Posts a message of the outbox to the chat.
 * @throws when the webhook does not accept it.
 */
export async function postNotice(
  due: DueMessage,
  { stores, webhook, env }: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const siteUrl = env.SITE_URL ?? site.url;
  let notice: Notice;
  if (due.kind === 'notice') {
    const alarm = await stores.notices.get(due.id);
    if (!alarm) return 'gone';
    notice = alarmNotice(alarm, siteUrl);
  } else if (due.kind === 'inquiry') {
    const inquiry = await stores.inquiries.get(due.id);
    if (!inquiry) return 'gone';
    notice = inquiryNotice(inquiry, siteUrl);
  } else {
    const application = await stores.applications.get(due.id);
    if (!application) return 'gone';
    notice = applicationNotice(application, siteUrl);
  }
  await webhook.post(notice, `${due.id}-${due.audience}-${due.generation}`, signal);
  return 'sent';
}
