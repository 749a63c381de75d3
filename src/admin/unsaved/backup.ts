import { ApiError, NetworkError } from '../../lib/api.ts';

/** Where the latest unsaved text is. `nowhere`: neither the server nor this browser could store the text. */
export interface BackupState {
  readonly where: 'nothing' | 'waiting' | 'server' | 'device' | 'nowhere';
  /** When the server last stored the text; ISO 8601, UTC. */
  readonly at: string | null;
  /** Why the server does not have the text. */
  readonly reason: 'offline' | 'signed-out' | 'failed' | null;
  readonly error: unknown;
}

interface BackupOptions<T> {
  /** Stores a value on the server; null deletes the stored value. */
  readonly toServer: (value: T | null) => Promise<void>;
  /** Stores a value in this browser; null deletes the stored value. @returns false if the browser cannot store it. */
  readonly toDevice: (value: T | null) => boolean;
  /** The delay in milliseconds from the first change until the value is sent, together with later changes. */
  readonly delayMs?: number;
}

const nothing: BackupState = { where: 'nothing', at: null, reason: null, error: null };

/**
 * Stores unsaved text while it is being written: on the server after a delay, and in this browser while the server does
 * not have it. Only one request runs at a time, and a later value replaces an earlier one.
 */
export function backup<T>({ toServer, toDevice, delayMs = 2_000 }: BackupOptions<T>) {
  const listeners = new Set<() => void>();
  let state = nothing;
  /** The value that the server does not have yet. */
  let latest: { readonly value: T | null } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;
  /** Whether there may be a stored value, which `changed(null)` has to delete. */
  let stored = false;

  const say = (next: BackupState) => {
    state = next;
    listeners.forEach((listener) => listener());
  };
  const deliver = async () => {
    clearTimeout(timer);
    timer = undefined;
    const sent = latest;
    if (!sent) return;
    try {
      await toServer(sent.value);
      if (latest !== sent) return;
      latest = undefined;
      toDevice(null);
      say(sent.value === null ? nothing : { ...nothing, where: 'server', at: new Date().toISOString() });
    } catch (error) {
      if (latest !== sent) return;
      const where = toDevice(sent.value) ? 'device' : 'nowhere';
      say(sent.value === null ? nothing : { ...state, where, reason: reasonOf(error), error });
    }
  };
  const send = (): Promise<void> => {
    const sent = latest;
    return (sending ??= deliver().finally(() => {
      sending = undefined;
      // The value changed while the former one was sent.
      if (latest && latest !== sent) plan();
    }));
  };
  function plan() {
    if (timer === undefined && !sending) timer = setTimeout(() => void send(), delayMs);
  }

  return {
    /** @param value null if there is nothing unsaved any more. */
    changed(value: T | null): void {
      if (value === null && !stored) return;
      latest = { value };
      stored = value !== null;
      if (value === null) {
        toDevice(null);
        say(nothing);
        void send();
      } else {
        // An error stays visible until the next attempt.
        if (state.where === 'nothing' || state.where === 'server') say({ ...state, where: 'waiting' });
        plan();
      }
    },
    /** The server already had a value when the editor opened. */
    found(at: string): void {
      stored = true;
      say({ ...nothing, where: 'server', at });
    },
    /** Sends the latest value now. @returns whether the server has the latest value. */
    async flush(): Promise<boolean> {
      await sending;
      if (latest) await send();
      return latest === undefined;
    },
    /** Stores the latest value in this browser, before the page goes away. @returns false if that is not possible. */
    leave: (): boolean => !latest || toDevice(latest.value),
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function reasonOf(error: unknown): NonNullable<BackupState['reason']> {
  if (error instanceof ApiError && error.status === 401) return 'signed-out';
  return error instanceof NetworkError ? 'offline' : 'failed';
}
