import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { errorText } from '../ui/error-text.ts';
import { MailStatus } from './DeliveryStatus.tsx';
import { type Mail, mails, timePrefix } from './delivery-text.ts';
import type { Submission } from './kinds.ts';
import { useResend } from './queries.ts';

interface DeliveryDetailProps {
  submission: Submission;
  /** When it was read from the API; milliseconds since 1970. */
  readAt: number;
}

/** What became of a submission's two mails, with the mail server's own words, and 'Send again'. */
export function DeliveryDetail({ submission, readAt }: DeliveryDetailProps) {
  const resend = useResend({
    onSuccess: tellOutcome,
    onError: (error) =>
      showToast({ title: 'Could not send again', description: errorText(error), variant: 'destructive' }),
  });
  return (
    <ul className="delivery">
      {mails.map(({ id, long }) => {
        const state = submission.delivery[id];
        const prefix = timePrefix(state, readAt);
        return (
          <li key={id}>
            <div className="delivery-words">
              <h4>{long}</h4>
              <p>
                <MailStatus status={state.status} />
                {prefix !== null && state.at && (
                  <span className="delivery-time">
                    {prefix} <DateTime iso={state.at} />
                  </span>
                )}
              </p>
              {state.error && <p className="delivery-error">The mail server said: {state.error}</p>}
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

function tellOutcome(submission: Submission, mail: Mail): void {
  const { status, error } = submission.delivery[mail];
  const to = mail === 'sender' ? submission.email : 'the firm';
  if (status === 'sent') {
    showToast({ title: 'Sent again', description: `The mail server took the mail to ${to}.` });
  } else if (error) {
    showToast({
      title: 'The mail server refused it',
      description: error,
      note: status === 'failed' ? undefined : 'It is tried again by itself.',
      variant: 'destructive',
    });
  } else {
    showToast({ title: 'In the outbox', description: `The mail to ${to} goes out as soon as a mail server takes it.` });
  }
}
