import { type Deferred, deferred } from '../../lib/deferred.ts';

/**
 * Hands each value to a slow writer, one at a time. What comes while it writes waits, and only the latest of it is
 * written then: no keystroke queues behind those before it, and none is lost.
 * @returns takes a value; settles when it, or a later one, is written; rejects where that failed.
 */
export function latestOnly<T>(write: (value: T) => Promise<void>): (value: T) => Promise<void> {
  let writing: Promise<void> | undefined;
  let waiting: { value: T; done: Deferred<void> } | undefined;

  const start = (value: T): Promise<void> => {
    const run = write(value);
    const settled = () => {
      writing = undefined;
      const next = waiting;
      waiting = undefined;
      if (next) start(next.value).then(next.done.resolve, next.done.reject);
    };
    writing = run.then(settled, settled);
    return run;
  };

  return (value) => {
    if (!writing) return start(value);
    const done = waiting?.done ?? deferred<void>();
    waiting = { value, done };
    return done.promise;
  };
}
