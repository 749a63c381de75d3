import type { DeliveryState } from '../../domain/delivery.ts';
import type { InquiryRecord } from '../../domain/inquiry.ts';
import type { IconName } from '../ui/Icon.tsx';

/** One of an inquiry's two mails. */
export type Mail = keyof InquiryRecord['delivery'];

export const mails: readonly { readonly id: Mail; readonly short: string; readonly long: string }[] = [
  { id: 'firm', short: 'Firm', long: 'Mail to the firm' },
  { id: 'sender', short: 'Sender', long: 'Acknowledgement to the sender' },
];

type Status = DeliveryState['status'];

/** How each state of a mail is named and drawn: never by color alone. */
export const statusTexts: Record<Status, { readonly label: string; readonly icon: IconName }> = {
  none: { label: 'held back', icon: 'dash' },
  waiting: { label: 'waiting', icon: 'clock' },
  retrying: { label: 'retrying', icon: 'again' },
  sent: { label: 'sent', icon: 'tick' },
  failed: { label: 'failed', icon: 'cross' },
};

/** What stands before the time of a mail's state; null where it has none. @param now milliseconds since 1970. */
export function timePrefix({ status, at }: DeliveryState, now: number): string | null {
  if (at === null) return null;
  switch (status) {
    case 'none':
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

/** One state where both mails share it, so that a list shows what differs and keeps quiet about the rest. */
export function sharedStatus({ firm, sender }: InquiryRecord['delivery']): Status | null {
  return firm.status === sender.status ? firm.status : null;
}
