import { ApiError } from '../../lib/api.ts';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';
import { errorText } from './error-text.ts';

interface FailureNoticeProps {
  title: string;
  error: unknown;
  /** What was kept, or is still shown. */
  kept?: string;
  onRetry: () => void;
  pending: boolean;
}

/** What went wrong, the request's id for whoever reads the server's log, and a way to try again. */
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
          Request id for the server’s log: <code>{requestId}</code>
        </p>
      )}
      <Button icon="again" onClick={onRetry} pending={pending} pendingLabel="Trying again…">
        Try again
      </Button>
    </Notice>
  );
}
