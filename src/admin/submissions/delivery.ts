import type { DeliveryState } from '../../domain/submission.ts';
import type { IconName } from '../ui/Icon.tsx';
import type { Submission } from './kinds.ts';

type Delivery = Submission['delivery'];
type Status = DeliveryState['status'];

/**
 * One of a submission's three messages: an email to the firm, an email to the sender, or a message to the firm's chat.
 */
export type MessageId = keyof Delivery;

const names: Readonly<Record<MessageId, string>> = {
  firm: 'Email to the firm',
  sender: 'Acknowledgment to the sender',
  webhook: 'Message to the team chat',
};

/** Returns the messages of a submission: the emails, and the chat message if a chat is set up. */
export function messagesOf(delivery: Delivery): { id: MessageId; name: string; state: DeliveryState }[] {
  return (['firm', 'sender', 'webhook'] as const)
    .filter((id) => id !== 'webhook' || delivery.webhook.status !== 'none')
    .map((id) => ({ id, name: names[id], state: delivery[id] }));
}

interface StatusLook {
  readonly label: string;
  /** The words before the time of the state; undefined if no time is shown. */
  readonly when?: string;
  /** For people who cannot distinguish the colors. */
  readonly icon: IconName;
  readonly look: 'ink' | 'soft' | 'alert';
}

/** Each state of a message. The first ones need the most attention. */
export const statuses: Readonly<Record<Status, StatusLook>> = {
  failed: { label: 'failed', when: 'on', icon: 'cross', look: 'alert' },
  retrying: { label: 'retrying', when: 'due', icon: 'again', look: 'ink' },
  waiting: { label: 'waiting', when: 'due', icon: 'clock', look: 'ink' },
  none: { label: 'not sent', icon: 'dash', look: 'soft' },
  skipped: { label: 'not sent', icon: 'dash', look: 'soft' },
  sent: { label: 'sent', when: 'on', icon: 'tick', look: 'soft' },
};

/** Returns the state that needs the most attention, in words such as `Emails sent` or `1 of 2 failed`. */
export function summaryOf(delivery: Delivery): { status: Status; text: string } {
  const messages = messagesOf(delivery);
  const status = (Object.keys(statuses) as Status[]).find((one) => messages.some(({ state }) => state.status === one))!;
  const count = messages.filter(({ state }) => state.status === status).length;
  const emails = messages.length === 2 ? 'Emails' : 'Messages';
  const what = count === messages.length ? emails : `${count} of ${messages.length}`;
  return { status, text: `${what} ${statuses[status].label}` };
}
