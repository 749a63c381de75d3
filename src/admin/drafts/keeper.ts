import { ApiError, NetworkError } from '../../lib/api.ts';
import { latestOnly } from './latest-only.ts';

type KeptOnDevice = 'nothing' | 'writing' | 'kept' | 'failed';
export type KeptOnServer = 'nothing' | 'waiting' | 'sending' | 'kept' | 'offline' | 'signed-out' | 'failed';

export interface Keeping {
  readonly device: KeptOnDevice;
  readonly server: KeptOnServer;
  /** When the server took the latest state; ISO 8601. */
  readonly at: string | null;
  /** Why the server did not. */
  readonly error: unknown;
}

export interface KeeperOptions<T> {
  readonly toDevice: (value: T) => Promise<void>;
  /** Undefined for what only this browser keeps until it is saved. */
  readonly toServer?: (value: T) => Promise<void>;
  /** From the first change to the sending; those made meanwhile go along. */
  readonly delayMs?: number;
}

const idle: Keeping = { device: 'nothing', server: 'nothing', at: null, error: null };

/**
 * Keeps what is being written in two places: in this browser at every change, on the server every few seconds. It says
 * at any time where the latest state is.
 */
export function keeper<T>({ toDevice, toServer, delayMs = 0 }: KeeperOptions<T>) {
  const listeners = new Set<() => void>();
  let state = idle;
  let latest: { value: T } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;
  let writing: Promise<void> | undefined;
  const device = latestOnly(toDevice);

  const say = (change: Partial<Keeping>) => {
    state = { ...state, ...change };
    listeners.forEach((listener) => listener());
  };

  const keepHere = async (value: T) => {
    try {
      await device(value);
      if (latest?.value === value) say({ device: 'kept' });
    } catch {
      if (latest?.value === value) say({ device: 'failed' });
    }
  };

  const deliver = async () => {
    clearTimeout(timer);
    timer = undefined;
    const sent = latest;
    if (!sent || !toServer) return;
    say({ server: 'sending', error: null });
    try {
      await toServer(sent.value);
      if (latest === sent) say({ server: 'kept', at: new Date().toISOString() });
    } catch (error) {
      if (latest === sent) say({ server: reasonOf(error), error });
    }
    if (latest && latest !== sent) plan();
  };
  const send = () => (sending ??= deliver().finally(() => (sending = undefined)));

  function plan() {
    if (!toServer || timer !== undefined || sending) return;
    say({ server: 'waiting' });
    timer = setTimeout(() => void send(), delayMs);
  }

  return {
    changed(value: T): void {
      latest = { value };
      say({ device: 'writing' });
      writing = keepHere(value);
      if (!sending) plan();
    },
    /** Sends now what the server does not have yet. @returns whether it has the latest state. */
    async flush(): Promise<boolean> {
      if (!toServer) return true;
      await sending;
      if (latest && state.server !== 'kept') await send();
      return !latest || state.server === 'kept';
    },
    /** Forgets what was written: it has been saved, or is not wanted. What is under way is waited for. */
    async clear(): Promise<void> {
      latest = undefined;
      clearTimeout(timer);
      timer = undefined;
      await Promise.all([sending, writing]);
      state = idle;
      say({});
    },
    state: () => state,
    /** Whether leaving the page now would lose the latest state. */
    isAtRisk: (): boolean => (state.device === 'writing' || state.device === 'failed') && state.server !== 'kept',
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function reasonOf(error: unknown): KeptOnServer {
  if (error instanceof ApiError && error.status === 401) return 'signed-out';
  return error instanceof NetworkError ? 'offline' : 'failed';
}
