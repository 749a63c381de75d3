import { DatabaseFault } from '../netlify/server/db/fault.ts';

/** A read or write whose caller waits for the result. */
export class Waiting<Result> {
  readonly answer: Promise<Result>;
  readonly since = performance.now();
  /** False after the read or write was answered or refused. */
  open = true;
  #resolve!: (result: Result) => void;
  #reject!: (error: unknown) => void;

  constructor() {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  resolve(result: Result): void {
    this.open = false;
    this.#resolve(result);
  }

  reject(error: unknown): void {
    this.open = false;
    this.#reject(error);
  }
}

/** Refuses entries that have waited for longer than `limit` milliseconds. @returns the entries that still wait. */
export function refuseAfter<One extends Pick<Waiting<unknown>, 'since' | 'open' | 'reject'>>(
  list: Iterable<One>,
  limit: number,
  now: number,
): One[] {
  const waiting = [...list];
  for (const one of waiting) if (one.open && now - one.since > limit) one.reject(new DatabaseFault('slow'));
  return waiting.filter((one) => one.open);
}
