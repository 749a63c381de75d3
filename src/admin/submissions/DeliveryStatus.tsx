import type { DeliveryState } from '../../domain/delivery.ts';
import type { Submission } from './kinds.ts';
import { Icon } from '../ui/Icon.tsx';
import { statusGroups, statusTexts } from './delivery-text.ts';

const looks: Partial<Record<DeliveryState['status'], string>> = {
  failed: 'semibold text-alert',
  retrying: 'text-ink',
  waiting: 'text-ink',
};

/** A message's state as an icon and a word. */
export function MessageStatus({ status, who }: { status: DeliveryState['status']; who?: string | undefined }) {
  const { icon, label } = statusTexts[status];
  return (
    <span className={`flex items-center gap-1.5 ${looks[status] ?? 'text-ink-soft'}`}>
      <Icon name={icon} accent={status === 'sent'} />
      <span>{who ? `${who} ${label}` : `${label.charAt(0).toUpperCase()}${label.slice(1)}`}</span>
    </span>
  );
}

/** The states of a submission's messages, for a table cell. */
export function DeliverySummary({ delivery }: { delivery: Submission['delivery'] }) {
  return statusGroups(delivery).map(({ status, who }) => <MessageStatus key={status} status={status} who={who} />);
}
