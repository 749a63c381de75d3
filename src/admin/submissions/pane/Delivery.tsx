import type { DeliveryState } from '../../../domain/submissions/submission.ts';
import { Badge, type IconName } from '../../ui/Icon.tsx';
import { Button } from '../../ui/Button.tsx';
import { DateTime } from '../../ui/Fact.tsx';
import type { Submission } from '../../../domain/submissions/submission-kinds.ts';
import type { MessageId } from '../kinds.ts';
import { useResend } from '../queries.ts';

const names: Readonly<Record<MessageId, string>> = {
  firm: 'Email to the firm',
  sender: 'Acknowledgment to the sender',
  webhook: 'Message to the team chat',
};

/** Returns the messages of a submission: the emails, and the chat message if a chat is set up. */
function messagesOf(delivery: Submission['delivery']): { id: MessageId; name: string; state: DeliveryState }[] {
  return (['firm', 'sender', 'webhook'] as const)
    .filter((id) => id !== 'webhook' || delivery.webhook.status !== 'none')
    .map((id) => ({ id, name: names[id], state: delivery[id] }));
}

interface StatusLook {
  readonly label: string;
  /** The time of the state follows the label. */
  readonly timed?: true;
  /** For people who cannot distinguish the colors. */
  readonly icon: IconName;
  readonly look: 'ink' | 'soft' | 'alert';
  readonly accent?: true;
}

/** Each state of a message. */
const statuses: Readonly<Record<DeliveryState['status'], StatusLook>> = {
  failed: { label: 'failed', timed: true, icon: 'cross', look: 'alert' },
  retrying: { label: 'next try at', timed: true, icon: 'again', look: 'ink' },
  waiting: { label: 'waiting to be sent', icon: 'clock', look: 'ink' },
  none: { label: 'not sent', icon: 'dash', look: 'soft' },
  skipped: { label: 'not sent', icon: 'dash', look: 'soft' },
  sent: { label: 'sent', timed: true, icon: 'tick', look: 'soft', accent: true },
};

/** A mark for a table cell, if a message of a submission failed or will be tried again. */
export function DeliveryMark({ delivery }: Pick<Submission, 'delivery'>) {
  const states = messagesOf(delivery).map(({ state }) => state.status);
  if (states.includes('failed')) return <Badge {...statuses.failed}>Delivery failed</Badge>;
  return states.includes('retrying') && <Badge {...statuses.retrying}>Retrying</Badge>;
}

/** A line for each message of a submission: its state, the receiver's error, and a button that sends the message. */
export function Delivery({ submission }: { submission: Submission }) {
  const resend = useResend(submission);
  return (
    <ul className="rule-b-rule">
      {messagesOf(submission.delivery).map(({ id, name, state: { status, at, error } }) => {
        const { label, timed } = statuses[status];
        const action = status === 'waiting' || status === 'skipped' ? 'Send now' : 'Send again';
        return (
          <li key={id} className="flex items-center justify-between gap-3 py-2.5 rule-t-rule">
            <div className="min-w-0 text-xs wrap-anywhere">
              <Badge {...statuses[status]}>
                {name}: {label} {at && timed && <DateTime iso={at} />}
              </Badge>
              {error && status === 'skipped' && <p className="ps-5.5 text-ink-soft">{error}</p>}
              {error && status !== 'skipped' && <p className="ps-5.5 text-alert">Last error: {error}</p>}
            </div>
            {submission.status === 'inbox' && (
              <Button act={resend} input={id} icon="again" aria-label={`${action}: ${name}`} pendingLabel="Sending…">
                {action}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
