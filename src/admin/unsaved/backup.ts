/** What is known about the latest unsaved text. */
export interface BackupState {
  /** When the server confirmed that it stored the text; for text of an earlier visit, when it stored the text. ISO 8601. */
  readonly at: string | null;
  /** Why the server does not have the text, and whether this browser has it. */
  readonly failure: { readonly error: unknown; readonly onDevice: boolean } | null;
}

interface BackupOptions<T> {
  /** Stores a value on the server; null deletes the stored value. */
  readonly toServer: (value: T | null) => Promise<void>;
  /** Stores a value in this browser; null deletes the stored value. @returns false if the browser cannot store it. */
  readonly toDevice: (value: T | null) => boolean;
  readonly onState: (state: BackupState) => void;
  /** The delay in milliseconds from the first change until the value is sent, together with later changes. */
  readonly delayMs?: number;
}

export const nothingStored: BackupState = { at: null, failure: null };

/**
 * Stores unsaved text while it is being written: on the server after a delay, and in this browser while the server does
 * not have it. Only one request runs at a time, and a later value replaces an earlier one.
 */
export function backup<T extends object>({ toServer, toDevice, onState, delayMs = 2_000 }: BackupOptions<T>) {
  let state = nothingStored;
  let value: T | null = null;
  let onServer = true;
  /** Whether this editor stored the copy in this browser. Another tab may have stored a copy of the same record. */
  let onDevice = false;
  /** Whether there may be a stored value, which `changed(null)` has to delete. */
  let stored = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;

  const show = (next: BackupState) => {
    state = value === null ? nothingStored : next;
    onState(state);
  };
  const keepOnDevice = (): boolean => {
    if (value === null && !onDevice) return true;
    onDevice = value !== null;
    return toDevice(value);
  };
  const deliver = async () => {
    clearTimeout(timer);
    timer = undefined;
    const sent = value;
    const failure = await toServer(sent).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    sending = undefined;
    if (value !== sent) plan();
    // The error stays visible until the next attempt.
    else if (failure) show({ ...state, failure: { ...failure, onDevice: keepOnDevice() } });
    else {
      onServer = true;
      if (onDevice) toDevice(null);
      onDevice = false;
      show({ at: new Date().toISOString(), failure: null });
    }
  };
  const send = (): Promise<void> => (sending ??= deliver());
  function plan() {
    if (timer === undefined && !sending) timer = setTimeout(() => void send(), delayMs);
  }

  return {
    /** @param next null if there is nothing unsaved any more. */
    changed(next: T | null): void {
      if (next === null && !stored) return;
      value = next;
      stored = next !== null;
      onServer = false;
      if (next === null) {
        keepOnDevice();
        show(nothingStored);
        void send();
      } else plan();
    },
    /** A value was already stored when the editor opened. */
    found(at: string): void {
      stored = true;
      state = { at, failure: null };
      onState(state);
    },
    /** Sends the latest value now. @returns whether the server has the latest value. */
    async flush(): Promise<boolean> {
      await sending;
      if (!onServer) await send();
      return onServer;
    },
    /** Stores the latest value in this browser, before the page goes away. @returns false if that is not possible. */
    leave: (): boolean => onServer || keepOnDevice(),
    state: () => state,
  };
}
