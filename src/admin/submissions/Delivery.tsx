import type { DeliveryState } from '../../domain/submission.ts';
import { Badge } from '../ui/Icon.tsx';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { messagesOf, statuses, summaryOf } from './delivery.ts';
import type { Submission } from './kinds.ts';
import { useResend } from './queries.ts';

const looksOf = (status: DeliveryState['status']) => {
  const { icon, look } = statuses[status];
  return { icon, look, accent: status === 'sent' };
};

/** The state of a submission's messages that needs the most attention, for a table cell. */
export function DeliverySummary({ delivery }: Pick<Submission, 'delivery'>) {
  const { status, text } = summaryOf(delivery);
  return <Badge {...looksOf(status)}>{text}</Badge>;
}

/** A line for each message of a submission: its state, the receiver's error, and a button that sends the message. */
export function Delivery({ submission }: { submission: Submission }) {
  const resend = useResend();
  return (
    <ul className="rule-b-rule">
      {messagesOf(submission.delivery).map(({ id, name, state: { status, at, error } }) => {
        const { label, when } = statuses[status];
        const action = status === 'waiting' || status === 'skipped' ? 'Send now' : 'Send again';
        return (
          <li key={id} className="flex items-center justify-between gap-3 py-2.5 rule-t-rule">
            <div className="min-w-0 text-xs wrap-anywhere">
              <Badge {...looksOf(status)}>
                {name}: {label}
                {at && when && (
                  <>
                    {' '}
                    {when} <DateTime iso={at} />
                  </>
                )}
              </Badge>
              {error && <p className="text-alert">{status === 'skipped' ? error : `Last error: ${error}`}</p>}
            </div>
            {submission.status === 'inbox' && (
              <Button
                icon="again"
                aria-label={`${action}: ${name}`}
                onClick={() => resend.mutate({ submission, mail: id })}
                pending={resend.isPending && resend.variables.mail === id}
                pendingLabel="Sending…"
              >
                {action}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
