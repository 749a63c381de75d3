import type { DeliveryState } from '../../domain/delivery.ts';
import type { InquiryRecord } from '../../domain/inquiry.ts';
import type { IconName } from '../ui/Icon.tsx';

type Delivery = InquiryRecord['delivery'];

/**
 * One of a submission's three messages: an email to the firm, an email to the sender, or a message to the firm's chat.
 */
export type MessageId = keyof Delivery;

interface MessageWords {
  readonly id: MessageId;
  readonly short: string;
  readonly long: string;
  /** The receiver's name, with a capital letter for the beginning of a sentence. */
  readonly taker: string;
}

const messages: readonly MessageWords[] = [
  {
    id: 'firm',
    short: 'firm',
    long: 'Email to the firm',
    taker: 'The mail server',
  },
  {
    id: 'sender',
    short: 'visitor',
    long: 'Acknowledgment to the visitor',
    taker: 'The mail server',
  },
  { id: 'webhook', short: 'team chat', long: 'Message to the team chat', taker: 'The team chat' },
];

/** Returns the messages of a submission: the emails, and the chat message if a chat is set up. */
export function messagesOf(delivery: Delivery): readonly MessageWords[] {
  return messages.filter(({ id }) => id !== 'webhook' || delivery.webhook.status !== 'none');
}

/** Whether both emails were already sent. If so, releasing the submission from quarantine sends no email. */
export function areEmailsSent({ firm, sender }: Delivery): boolean {
  return firm.status === 'sent' && sender.status === 'sent';
}

type Status = DeliveryState['status'];

/** The label and the icon of each message state. The icon is there for people who cannot distinguish the colors. */
export const statusTexts: Record<Status, { readonly label: string; readonly icon: IconName }> = {
  none: { label: 'held back', icon: 'dash' },
  waiting: { label: 'waiting', icon: 'clock' },
  retrying: { label: 'retrying', icon: 'again' },
  sent: { label: 'sent', icon: 'tick' },
  skipped: { label: 'not sent', icon: 'dash' },
  failed: { label: 'failed', icon: 'cross' },
};

/**
 * Returns the words before the time of a message's state; null if no time is shown.
 * @param now milliseconds since 1970.
 */
export function timePrefix({ status, at }: DeliveryState, now: number): string | null {
  if (at === null) return null;
  switch (status) {
    case 'none':
    case 'skipped':
      return null;
    case 'sent':
      return '';
    case 'failed':
      return 'Failed on';
    case 'waiting':
    case 'retrying':
      return Date.parse(at) > now ? 'Next attempt' : 'Waiting since';
  }
}

/**
 * Groups a submission's messages by state. `who` names the messages of a group, such as `Emails` or `To team chat:`. If
 * all messages are held back, `who` is undefined.
 */
export function statusGroups(delivery: Delivery): readonly { status: Status; who: string | undefined }[] {
  const shown = messagesOf(delivery);
  const statuses = [...new Set(shown.map(({ id }) => delivery[id].status))];
  const everybody = shown.length === 2 ? 'Emails' : 'Messages';
  return statuses.map((status) => {
    if (statuses.length === 1) return { status, who: status === 'none' ? undefined : everybody };
    const those = shown.filter(({ id }) => delivery[id].status === status).map(({ short }) => short);
    const who = those.join(' and ');
    return { status, who: who === 'firm and visitor' ? 'Emails' : `To ${who}:` };
  });
}
