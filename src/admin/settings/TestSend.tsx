import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../lib/error-text.ts';
import { useTestSend } from './queries.ts';

interface TestSendProps {
  path: Parameters<typeof useTestSend>[0];
  button: string;
  /** What is sent, such as `email`. */
  what: string;
}

/** Sends a test message to every receiver that the site is set up for, and shows each receiver's response. */
export function TestSend({ path, button, what }: TestSendProps) {
  const test = useTestSend(path);
  const receipts = test.data?.receipts ?? [];
  return (
    <div className="mt-2 grid justify-items-start gap-2">
      <Button onClick={() => test.mutate()} pending={test.isPending} pendingLabel="Sending…">
        {button}
      </Button>
      <div role="status">
        {receipts
          .filter(({ sent }) => sent)
          .map(({ to, answer }) => (
            <Notice key={to} title={`The ${what} to ${to} was accepted`}>
              <p>
                Server response: <code>{answer}</code>
              </p>
            </Notice>
          ))}
      </div>
      {receipts
        .filter(({ sent }) => !sent)
        .map(({ to, answer }) => (
          <Notice key={to} variant="destructive" title={`The ${what} to ${to} was not accepted`}>
            <p>
              Server response: <code>{answer}</code>
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
