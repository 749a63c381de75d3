import { DatabaseFault } from '../netlify/server/db/fault.ts';

/** A read or write whose caller waits for an answer. */
export class Waiting<Result> {
  readonly answer: Promise<Result>;
  readonly since = performance.now();
  /** False once it has been answered or refused. */
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

/** Refuses what has waited for longer than `limit` milliseconds. @returns what still waits. */
export function refuseAfter<One extends Pick<Waiting<unknown>, 'since' | 'open' | 'reject'>>(
  list: Iterable<One>,
  limit: number,
  now: number,
): One[] {
  const waiting = [...list];
  for (const one of waiting) if (one.open && now - one.since > limit) one.reject(new DatabaseFault('slow'));
  return waiting.filter((one) => one.open);
}
