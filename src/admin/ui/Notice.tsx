import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../lib/request/api.ts';
import { errorText } from '../lib/act.ts';
import { Button } from './Button.tsx';

interface NoticeProps {
  /** Screen readers announce `destructive` notices immediately. */
  variant?: 'default' | 'destructive';
  title?: string | undefined;
  children: ReactNode;
}

/** A message that stays visible until its cause is gone. */
export function Notice({ variant = 'default', title, children }: NoticeProps) {
  return (
    <div
      className={`notice notice-${variant} [border-width:1px_1px_1px_4px] grid justify-items-start gap-2 wrap-anywhere`}
      role={variant === 'destructive' ? 'alert' : 'note'}
    >
      {title && <p className={`semibold ${variant === 'destructive' ? 'text-alert' : ''}`}>{title}</p>}
      {children}
    </div>
  );
}

/** The part of a React Query result that {@link Loaded} needs. */
export type Loading<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>;

/** An error message with the request's id in the server's log, and a button to try again. */
export function FailureNotice({ title, query }: { title: string; query: Loading<unknown> }) {
  const { data, error, isFetching, refetch } = query;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Notice variant="destructive" title={title}>
      <p>
        {errorText(error)}
        {data !== undefined && ' This page still shows the earlier data.'}
      </p>
      {requestId && (
        <p className="text-xs text-ink-soft">
          Request ID, for support: <code>{requestId}</code>
        </p>
      )}
      <Button icon="again" onClick={() => void refetch()} pending={isFetching} pendingLabel="Trying again…">
        Try again
      </Button>
    </Notice>
  );
}

interface LoadedProps<T> {
  /** What is loaded, such as `your sessions`. */
  what: string;
  query: Loading<T>;
  /** Shown while the data loads. */
  skeleton?: ReactNode;
  /** Says why the data may not exist and what to do, if the server answers 404: the text of a notice, or the notice. */
  missing?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Loaded data, its placeholder while it loads, and an error with a button to try again. */
export function Loaded<T>({ what, query, skeleton, missing, children }: LoadedProps<T>) {
  const { data, error } = query;
  const isMissing = missing !== undefined && error instanceof ApiError && error.status === 404;
  return (
    <>
      {isMissing && typeof missing === 'string' && (
        <Notice title={`Couldn’t find ${what}`}>
          <p>{missing}</p>
        </Notice>
      )}
      {isMissing && typeof missing !== 'string' && missing}
      {!isMissing && Boolean(error) && <FailureNotice title={`Couldn’t load ${what}`} query={query} />}
      {data === undefined && !error && (
        <>
          <p className="sr-only" role="status">
            Loading {what}…
          </p>
          {skeleton ?? <span className="skeleton h-56" />}
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
