import type { DeliveryState } from '../../domain/delivery.ts';
import type { Submission } from './kinds.ts';
import { Icon } from '../ui/Icon.tsx';
import { mails, sharedStatus, statusTexts } from './delivery-text.ts';

/** A mail's state as a drawing and a word. */
export function MailStatus({ status, who }: { status: DeliveryState['status']; who?: string }) {
  const { icon, label } = statusTexts[status];
  return (
    <span className={`mail-status mail-${status}`}>
      <Icon name={icon} />
      <span>{who ? `${who} ${label}` : `${label.charAt(0).toUpperCase()}${label.slice(1)}`}</span>
    </span>
  );
}

/** Both mails of an inquiry in a list's cell. */
export function DeliverySummary({ delivery }: { delivery: Submission['delivery'] }) {
  const shared = sharedStatus(delivery);
  if (shared === 'none') return <MailStatus status="none" />;
  if (shared) return <MailStatus status={shared} who="Both" />;
  return mails.map(({ id, short }) => <MailStatus key={id} status={delivery[id].status} who={short} />);
}
