import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds of work after which other requests should run. */
const longestWork = 10;

/** Lets long work pause, so other requests run in between. */
interface Pauses {
  /** Returns true if the work has run long enough to {@link take} a pause. */
  readonly due: () => boolean;
  readonly take: () => Promise<void>;
}

/** Starts to measure how long the caller works without a pause. */
export function pauses(): Pauses {
  let since = performance.now();
  return {
    due: () => performance.now() - since > longestWork,
    async take() {
      await turn();
      since = performance.now();
    },
  };
}
