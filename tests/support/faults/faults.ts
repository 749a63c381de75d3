import process from 'node:process';

/**
 * Picks the size of a fault test: `npm test` runs the short form of each fault, `npm test -- --faults` the full one.
 * @returns `full` when the environment variable `FAULTS` is `full`, otherwise `short`.
 */
export function sizeOf<T>(short: T, full: T): T {
  return process.env.FAULTS === 'full' ? full : short;
}
