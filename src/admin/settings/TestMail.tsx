import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
import { useTestMail } from './queries.ts';

/** Sends a mail to oneself, and shows what the mail server said to it. */
export function TestMail() {
  const test = useTestMail();
  return (
    <div className="test-mail">
      <Button onClick={() => test.mutate()} pending={test.isPending} pendingLabel="Sending…">
        Send me a test mail
      </Button>
      <div role="status">
        {test.data?.sent && (
          <Notice title={`The mail server took the mail to ${test.data.to}`}>
            <p>
              It said: <code>{test.data.answer}</code>
            </p>
          </Notice>
        )}
      </div>
      {test.data && !test.data.sent && (
        <Notice variant="destructive" title={`The mail to ${test.data.to} was not taken`}>
          <p>
            The mail server said: <code>{test.data.answer}</code>
          </p>
        </Notice>
      )}
      {test.isError && (
        <Notice variant="destructive" title="No mail was sent">
          <p>{errorText(test.error)}</p>
        </Notice>
      )}
    </div>
  );
}
