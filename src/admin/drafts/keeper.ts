import { ApiError, NetworkError } from '../../lib/api.ts';
import { latestOnly } from './latest-only.ts';

type KeptOnDevice = 'nothing' | 'writing' | 'kept' | 'failed';
export type KeptOnServer = 'nothing' | 'waiting' | 'sending' | 'kept' | 'offline' | 'signed-out' | 'failed';

export interface Keeping {
  readonly device: KeptOnDevice;
  readonly server: KeptOnServer;
  /** When the server stored the latest value; ISO 8601, UTC. */
  readonly at: string | null;
  /** The error of the last attempt to send a value to the server. */
  readonly error: unknown;
}

export interface KeeperOptions<T> {
  readonly toDevice: (value: T) => Promise<void>;
  /** Undefined for drafts that only this browser stores. */
  readonly toServer?: (value: T) => Promise<void>;
  /**
   * The delay in milliseconds from the first change until the value is sent. Later changes within the delay are sent
   * together with the first.
   */
  readonly delayMs?: number;
}

const idle: Keeping = { device: 'nothing', server: 'nothing', at: null, error: null };

/**
 * Stores a draft while it is being written: in this browser at every change, and on the server after a delay. The state
 * says where the latest value is stored.
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
  };
  const send = () => {
    const sent = latest;
    return (sending ??= deliver().finally(() => {
      sending = undefined;
      // The value changed while the former one was sent.
      if (latest && latest !== sent) plan();
    }));
  };

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
    /**
     * Sends the latest value now if the server does not have it.
     * @returns whether the server has the latest value.
     */
    async flush(): Promise<boolean> {
      if (!toServer) return true;
      await sending;
      if (latest && state.server !== 'kept') await send();
      return !latest || state.server === 'kept';
    },
    /** Forgets the latest value, which the caller has saved or discarded. Resolves after running writes have ended. */
    async clear(): Promise<void> {
      latest = undefined;
      clearTimeout(timer);
      timer = undefined;
      await Promise.all([sending, writing]);
      state = idle;
      say({});
    },
    state: () => state,
    /** Whether leaving the page now would lose the latest value. */
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
