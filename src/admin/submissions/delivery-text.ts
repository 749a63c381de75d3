import type { DeliveryState } from '../../domain/delivery.ts';
import type { InquiryRecord } from '../../domain/inquiry.ts';
import type { IconName } from '../ui/Icon.tsx';

type Delivery = InquiryRecord['delivery'];

/** One of a submission's messages: its two mails, and the one to the firm's chat. */
export type MessageId = keyof Delivery;

interface MessageWords {
  readonly id: MessageId;
  readonly short: string;
  readonly long: string;
  /** Who takes it, as a sentence begins. */
  readonly taker: string;
  /** What stands before the error of its last try. */
  readonly said: string;
}

const messages: readonly MessageWords[] = [
  {
    id: 'firm',
    short: 'Firm',
    long: 'Mail to the firm',
    taker: 'The mail server',
    said: 'The mail server said:',
  },
  {
    id: 'sender',
    short: 'Sender',
    long: 'Acknowledgement to the sender',
    taker: 'The mail server',
    said: 'The mail server said:',
  },
  { id: 'webhook', short: 'Chat', long: 'Message to the chat', taker: 'The chat', said: 'The last try:' },
];

/** The messages of a submission: the mails always, that to the chat where there is one. */
export function messagesOf(delivery: Delivery): readonly MessageWords[] {
  return messages.filter(({ id }) => id !== 'webhook' || delivery.webhook.status !== 'none');
}

type Status = DeliveryState['status'];

/** How each state of a message is named and drawn: never by color alone. */
export const statusTexts: Record<Status, { readonly label: string; readonly icon: IconName }> = {
  none: { label: 'held back', icon: 'dash' },
  waiting: { label: 'waiting', icon: 'clock' },
  retrying: { label: 'retrying', icon: 'again' },
  sent: { label: 'sent', icon: 'tick' },
  skipped: { label: 'not sent', icon: 'dash' },
  failed: { label: 'failed', icon: 'cross' },
};

/** What stands before the time of a message's state; null where it has none. @param now milliseconds since 1970. */
export function timePrefix({ status, at }: DeliveryState, now: number): string | null {
  if (at === null) return null;
  switch (status) {
    case 'none':
    case 'skipped':
      return null;
    case 'sent':
      return '';
    case 'failed':
      return 'Given up';
    case 'waiting':
    case 'retrying':
      return Date.parse(at) > now ? 'Next try' : 'Due since';
  }
}

/**
 * Each state that messages are in, and whose, so that a list shows what differs and keeps quiet about the rest: `Both` and
 * `All` where there is one state, nobody where they are held back.
 */
export function statusGroups(delivery: Delivery): readonly { status: Status; who: string | undefined }[] {
  const shown = messagesOf(delivery);
  const statuses = [...new Set(shown.map(({ id }) => delivery[id].status))];
  const everybody = shown.length === 2 ? 'Both' : 'All';
  return statuses.map((status) => {
    if (statuses.length === 1) return { status, who: status === 'none' ? undefined : everybody };
    const those = shown.filter(({ id }) => delivery[id].status === status).map(({ short }) => short);
    const who = those.join(', ');
    return { status, who: who === 'Firm, Sender' ? 'Mails' : who };
  });
}
