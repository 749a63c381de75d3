import type { ReactNode } from 'react';
import { FailureNotice } from '../ui/FailureNotice.tsx';

interface LoadedProps<T> {
  /** What is loaded, such as `your sessions`. */
  what: string;
  query: { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => Promise<unknown> };
  /** The number of placeholders, in the size of a setting's rows. */
  rows: number;
  children: (data: T) => ReactNode;
}

/** The data of a panel, placeholders while it loads, and an error with a button to try again. */
export function Loaded<T>({ what, query: { data, error, isFetching, refetch }, rows, children }: LoadedProps<T>) {
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
          <p className="unseen" role="status">
            Loading {what}…
          </p>
          <div className="rows" aria-hidden="true">
            {Array.from({ length: rows }, (_, index) => (
              <div key={index}>
                <span className="skeleton skeleton-text w-3/5" />
              </div>
            ))}
          </div>
        </>
      )}
      {data !== undefined && children(data)}
    </>
  );
}
