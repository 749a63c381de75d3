import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { errorText } from '../lib/error-text.ts';
import { MessageStatus } from './DeliveryStatus.tsx';
import { type MessageId, messagesOf, timePrefix } from './delivery-text.ts';
import type { Submission } from './kinds.ts';
import { useResend } from './queries.ts';

interface DeliveryDetailProps {
  submission: Submission;
  /** When the submission was fetched; milliseconds since 1970. */
  readAt: number;
}

/**
 * The delivery state of a submission's messages. Each message has a button that sends the message, and the receiver's
 * error text after a failure.
 */
export function DeliveryDetail({ submission, readAt }: DeliveryDetailProps) {
  const resend = useResend({
    onSuccess: tellOutcome,
    onError: (error) =>
      showToast({ title: 'Couldn’t send the message', description: errorText(error), variant: 'destructive' }),
  });
  return (
    <ul className="rule-b-rule">
      {messagesOf(submission.delivery).map(({ id, long }) => {
        const state = submission.delivery[id];
        const prefix = timePrefix(state, readAt);
        const action = state.status === 'waiting' || state.status === 'skipped' ? 'Send now' : 'Send again';
        return (
          <li key={id} className="flex items-center justify-between gap-3 py-2.5 rule-t-rule">
            <div className="min-w-0">
              <h4 className="regular">{long}</h4>
              <p className="flex flex-wrap gap-x-3 text-xs">
                <MessageStatus status={state.status} />
                {prefix !== null && state.at && (
                  <span className="text-ink-soft">
                    {prefix} <DateTime iso={state.at} />
                  </span>
                )}
              </p>
              {state.error && (
                <p className="flex flex-wrap gap-x-3 text-xs text-alert wrap-anywhere">
                  {state.status === 'skipped' ? state.error : `Last error: ${state.error}`}
                </p>
              )}
            </div>
            {submission.status === 'inbox' && (
              <Button
                icon="again"
                aria-label={`${action}: ${long}`}
                onClick={() => resend.mutate({ submission, mail: id })}
                pending={
                  resend.isPending && resend.variables.submission.id === submission.id && resend.variables.mail === id
                }
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

function tellOutcome(submission: Submission, id: MessageId): void {
  const { status, error } = submission.delivery[id];
  const taker = messagesOf(submission.delivery).find((message) => message.id === id)?.taker ?? '';
  const what = { firm: 'email to the firm', sender: `email to ${submission.email}`, webhook: 'message' }[id];
  if (status === 'sent') {
    showToast({ title: 'Message sent', description: `${taker} accepted the ${what}.` });
  } else if (error) {
    showToast({
      title: `${taker} didn’t accept it`,
      description: error,
      note: status === 'failed' ? undefined : 'We’ll try again automatically.',
      variant: 'destructive',
    });
  } else {
    showToast({ title: 'Waiting to be sent', description: `We’ll send the ${what} shortly.` });
  }
}
