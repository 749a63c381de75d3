/**
 * Wraps a slow function so that only one write runs at a time. Of the values that arrive during a write, only the
 * latest is written next, so writes never fall behind.
 * @returns a function that takes a value. Its promise resolves when this value or a later one has been written, and
 * rejects if that write fails.
 */
export function latestOnly<T>(write: (value: T) => Promise<void>): (value: T) => Promise<void> {
  let writing: Promise<void> | undefined;
  let waiting: { value: T; done: PromiseWithResolvers<void> } | undefined;

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
    const done = waiting?.done ?? Promise.withResolvers<void>();
    waiting = { value, done };
    return done.promise;
  };
}
