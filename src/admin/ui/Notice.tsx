import type { ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../lib/act.ts';
import { Button } from './Button.tsx';

interface NoticeProps {
  /** Screen readers announce `destructive` notices immediately. */
  variant?: 'default' | 'destructive';
  title?: string;
  children: ReactNode;
}

/** A message that stays visible until its cause is gone. */
export function Notice({ variant = 'default', title, children }: NoticeProps) {
  return (
    <div
      className={`notice notice-${variant} grid justify-items-start gap-2 wrap-anywhere`}
      role={variant === 'destructive' ? 'alert' : 'note'}
    >
      {title && <p className={`semibold ${variant === 'destructive' ? 'text-alert' : ''}`}>{title}</p>}
      {children}
    </div>
  );
}

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
        <p className="text-xs text-ink-soft">
          Request ID, for support: <code>{requestId}</code>
        </p>
      )}
      <Button icon="again" onClick={onRetry} pending={pending} pendingLabel="Trying again…">
        Try again
      </Button>
    </Notice>
  );
}

/** The part of a React Query result that {@link Loaded} needs. */
export interface Loading<T> {
  data: T | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

interface LoadedProps<T> {
  /** What is loaded, such as `your sessions`. */
  what: string;
  query: Loading<T>;
  /** Shown while the data loads. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** Loaded data, its placeholder while it loads, and an error with a button to try again. */
export function Loaded<T>({ what, query: { data, error, isFetching, refetch }, skeleton, children }: LoadedProps<T>) {
  return (
    <>
      {Boolean(error) && (
        <FailureNotice
          title={`Couldn’t load ${what}`}
          error={error}
          {...(data !== undefined && { kept: 'This list may be out of date.' })}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      )}
      {data === undefined && !error && (
        <>
          <p className="sr-only" role="status">
            Loading {what}…
          </p>
          {skeleton}
        </>
      )}
      {data !== undefined && children(data)}
    </>
  );
}

/** Replaces the rows of an empty list. Says why the list is empty and what to do next. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty-state grid max-w-144 justify-items-start gap-3 py-[clamp(1.5rem,6vw,3rem)] wrap-anywhere">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
