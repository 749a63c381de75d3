import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { errorText } from '../ui/error-text.ts';
import { MessageStatus } from './DeliveryStatus.tsx';
import { type MessageId, messagesOf, timePrefix } from './delivery-text.ts';
import type { Submission } from './kinds.ts';
import { useResend } from './queries.ts';

interface DeliveryDetailProps {
  submission: Submission;
  /** When it was read from the API; milliseconds since 1970. */
  readAt: number;
}

/** What became of a submission's messages, with the receiver's own words, and 'Send again'. */
export function DeliveryDetail({ submission, readAt }: DeliveryDetailProps) {
  const resend = useResend({
    onSuccess: tellOutcome,
    onError: (error) =>
      showToast({ title: 'Could not send again', description: errorText(error), variant: 'destructive' }),
  });
  return (
    <ul className="delivery">
      {messagesOf(submission.delivery).map(({ id, long, said }) => {
        const state = submission.delivery[id];
        const prefix = timePrefix(state, readAt);
        return (
          <li key={id}>
            <div className="delivery-words">
              <h4>{long}</h4>
              <p>
                <MessageStatus status={state.status} />
                {prefix !== null && state.at && (
                  <span className="delivery-time">
                    {prefix} <DateTime iso={state.at} />
                  </span>
                )}
              </p>
              {state.error && (
                <p className="delivery-error">{state.status === 'skipped' ? state.error : `${said} ${state.error}`}</p>
              )}
            </div>
            {submission.status === 'inbox' && (
              <Button
                icon="again"
                aria-label={`Send again: ${long}`}
                onClick={() => resend.mutate({ submission, mail: id })}
                pending={
                  resend.isPending && resend.variables.submission.id === submission.id && resend.variables.mail === id
                }
                pendingLabel="Sending…"
              >
                Send again
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
  const what = { firm: 'mail to the firm', sender: `mail to ${submission.email}`, webhook: 'message' }[id];
  if (status === 'sent') {
    showToast({ title: 'Sent again', description: `${taker} took the ${what}.` });
  } else if (error) {
    showToast({
      title: `${taker} did not take it`,
      description: error,
      note: status === 'failed' ? undefined : 'It is tried again by itself.',
      variant: 'destructive',
    });
  } else {
    showToast({ title: 'In the outbox', description: `The ${what} goes out as soon as it is taken.` });
  }
}
