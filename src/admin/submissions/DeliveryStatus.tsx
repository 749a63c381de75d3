import type { DeliveryState } from '../../domain/delivery.ts';
import type { Submission } from './kinds.ts';
import { Badge } from '../ui/Badge.tsx';
import { statusGroups, statusTexts } from './delivery-text.ts';

const looks = {
  failed: 'alert',
  retrying: 'ink',
  waiting: 'ink',
  sent: 'soft',
  skipped: 'soft',
  none: 'soft',
} as const;

/** A message's state as an icon and a word. */
export function MessageStatus({ status, who }: { status: DeliveryState['status']; who?: string | undefined }) {
  const { icon, label } = statusTexts[status];
  return (
    <Badge icon={icon} accent={status === 'sent'} look={looks[status]}>
      {who ? `${who} ${label}` : `${label.charAt(0).toUpperCase()}${label.slice(1)}`}
    </Badge>
  );
}

/** The states of a submission's messages, for a table cell. */
export function DeliverySummary({ delivery }: { delivery: Submission['delivery'] }) {
  return statusGroups(delivery).map(({ status, who }) => <MessageStatus key={status} status={status} who={who} />);
}
