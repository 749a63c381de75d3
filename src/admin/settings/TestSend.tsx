import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
import { useTestSend } from './queries.ts';

interface TestSendProps {
  path: Parameters<typeof useTestSend>[0];
  button: string;
  /** What is sent: 'mail'. */
  what: string;
  /** Who takes it: 'The mail server'. */
  taker: string;
}

/** Sends a mail to oneself, or a message to the chat, and shows what was said to it. */
export function TestSend({ path, button, what, taker }: TestSendProps) {
  const test = useTestSend(path);
  return (
    <div className="test-mail">
      <Button onClick={() => test.mutate()} pending={test.isPending} pendingLabel="Sending…">
        {button}
      </Button>
      <div role="status">
        {test.data?.sent && (
          <Notice title={`${taker} took the ${what} to ${test.data.to}`}>
            <p>
              It said: <code>{test.data.answer}</code>
            </p>
          </Notice>
        )}
      </div>
      {test.data && !test.data.sent && (
        <Notice variant="destructive" title={`The ${what} to ${test.data.to} was not taken`}>
          <p>
            What came back: <code>{test.data.answer}</code>
          </p>
        </Notice>
      )}
      {test.isError && (
        <Notice variant="destructive" title={`No ${what} was sent`}>
          <p>{errorText(test.error)}</p>
        </Notice>
      )}
    </div>
  );
}
