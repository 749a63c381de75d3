import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
import { useTestSend } from './queries.ts';

interface TestSendProps {
  path: Parameters<typeof useTestSend>[0];
  button: string;
  /** What is sent: 'email'. */
  what: string;
  /** Who takes it: 'The mail server'. */
  taker: string;
}

/** Sends a test to every address that the site sends to, and shows what each was answered. */
export function TestSend({ path, button, what, taker }: TestSendProps) {
  const test = useTestSend(path);
  const receipts = test.data?.receipts ?? [];
  return (
    <div className="test-mail">
      <Button onClick={() => test.mutate()} pending={test.isPending} pendingLabel="Sending…">
        {button}
      </Button>
      <div role="status">
        {receipts
          .filter(({ sent }) => sent)
          .map(({ to, answer }) => (
            <Notice key={to} title={`${taker} accepted the ${what} to ${to}`}>
              <p>
                Its answer: <code>{answer}</code>
              </p>
            </Notice>
          ))}
      </div>
      {receipts
        .filter(({ sent }) => !sent)
        .map(({ to, answer }) => (
          <Notice key={to} variant="destructive" title={`The ${what} to ${to} was not accepted`}>
            <p>
              The answer: <code>{answer}</code>
            </p>
          </Notice>
        ))}
      {test.isError && (
        <Notice variant="destructive" title={`No ${what} was sent`}>
          <p>{errorText(test.error)}</p>
        </Notice>
      )}
    </div>
  );
}
