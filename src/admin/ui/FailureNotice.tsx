import { ApiError } from '../../lib/api.ts';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';
import { errorText } from '../lib/error-text.ts';

interface FailureNoticeProps {
  title: string;
  error: unknown;
  /** Says what was saved, or what the page still shows. */
  kept?: string;
  onRetry: () => void;
  pending: boolean;
}

/** An error message with the request's id in the server's log, and a button to try again. */
export function FailureNotice({ title, error, kept, onRetry, pending }: FailureNoticeProps) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Notice variant="destructive" title={title}>
      <p>
        {errorText(error)}
        {kept && ` ${kept}`}
      </p>
      {requestId && (
        <p className="notice-detail">
          Request ID, for support: <code>{requestId}</code>
        </p>
      )}
      <Button icon="again" onClick={onRetry} pending={pending} pendingLabel="Trying again…">
        Try again
      </Button>
    </Notice>
  );
}
