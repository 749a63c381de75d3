import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds of work after which other requests get their turn. */
const longestWork = 10;

/** Lets long work pause: other requests are answered meanwhile. */
interface Pauses {
  /** True when the work has run long enough to {@link take} a pause. */
  readonly due: () => boolean;
  readonly take: () => Promise<void>;
}

/** Measures from now on. */
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
