/** Runs code that throws if the browser blocks storage, or if stored or received data are damaged. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
