/** A file on its way into the library. */
export interface QueuedFile {
  readonly key: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** Bytes that have left. */
  readonly sent: number;
  /** Why it failed, for a person. */
  readonly reason: string;
  /** Whether trying again can help. */
  readonly again: boolean;
}

/** Sends a file to where it belongs. */
export type Send = (file: File, options: { signal: AbortSignal; onProgress: (sent: number) => void }) => Promise<void>;

/** So many files are sent at once. */
const atOnce = 2;

/**
 * Files on their way, a few at once. It outlives the screen that shows it: an admin may work elsewhere meanwhile. A file
 * that has arrived leaves the queue; one that failed stays until it is sent again or dismissed.
 * @param reasonOf why something failed, for a person.
 */
export function uploadQueue(reasonOf: (error: unknown) => string) {
  let files: readonly QueuedFile[] = [];
  let nextKey = 1;
  const senders = new Map<number, Send>();
  const running = new Map<number, AbortController>();
  const listeners = new Set<() => void>();

  const set = (changed: readonly QueuedFile[]) => {
    files = changed;
    for (const listener of listeners) listener();
  };
  const change = (key: number, changes: Partial<QueuedFile>) =>
    set(files.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const drop = (key: number) => {
    senders.delete(key);
    set(files.filter((one) => one.key !== key));
  };

  const run = async ({ key, file }: QueuedFile, send: Send) => {
    const control = new AbortController();
    running.set(key, control);
    change(key, { state: 'sending', sent: 0 });
    try {
      await send(file, { signal: control.signal, onProgress: (sent) => change(key, { sent }) });
      drop(key);
    } catch (error) {
      if (control.signal.aborted) drop(key);
      else change(key, { state: 'failed', reason: reasonOf(error) });
    } finally {
      running.delete(key);
      next();
    }
  };
  const next = () => {
    for (const one of files) {
      const send = senders.get(one.key);
      if (running.size >= atOnce) return;
      if (one.state === 'waiting' && send && !running.has(one.key)) void run(one, send);
    }
  };

  return {
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    files: () => files,
    add: (added: readonly File[], send: Send): void => {
      const queued = added.map((file) => ({
        key: nextKey++,
        file,
        state: 'waiting' as const,
        sent: 0,
        reason: '',
        again: true,
      }));
      for (const { key } of queued) senders.set(key, send);
      set([...files, ...queued]);
      next();
    },
    /** Shows a file that is not sent at all, and why. */
    refuse: (file: File, reason: string): void => {
      set([...files, { key: nextKey++, file, state: 'failed', sent: 0, reason, again: false }]);
    },
    retry: (key: number): void => {
      change(key, { state: 'waiting', reason: '' });
      next();
    },
    /** Ends a file's sending, or takes it off the list. */
    cancel: (key: number): void => {
      const control = running.get(key);
      if (control) control.abort(new DOMException('Cancelled', 'AbortError'));
      else drop(key);
    },
  };
}
