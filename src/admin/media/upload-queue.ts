export interface QueuedFile {
  readonly key: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** The number of bytes sent so far. */
  readonly sent: number;
  /** Why the upload failed, as a message for the admin. */
  readonly reason: string;
  /** Whether another attempt can succeed. */
  readonly again: boolean;
}

/** Uploads one file. */
export type Send = (file: File, options: { signal: AbortSignal; onProgress: (sent: number) => void }) => Promise<void>;

/** The maximum number of simultaneous uploads. */
const atOnce = 2;

/**
 * Creates an upload queue. The queue exists outside the components, so uploads continue while the admin works on
 * another tab of the dashboard. A finished upload leaves the queue; a failed upload stays until the admin retries or
 * dismisses it.
 * @param explain returns the message for an error, and whether another attempt can succeed.
 */
export function uploadQueue(explain: (error: unknown) => Pick<QueuedFile, 'reason' | 'again'>) {
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
      else change(key, { state: 'failed', ...explain(error) });
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
    /** Adds a file that will not be sent, with the reason. */
    refuse: (file: File, reason: string): void => {
      set([...files, { key: nextKey++, file, state: 'failed', sent: 0, reason, again: false }]);
    },
    retry: (key: number): void => {
      change(key, { state: 'waiting', reason: '' });
      next();
    },
    /** Aborts a running upload, or removes a file that is waiting or failed. */
    cancel: (key: number): void => {
      const control = running.get(key);
      if (control) control.abort(new DOMException('Canceled', 'AbortError'));
      else drop(key);
    },
  };
}
