// Loaded into the host process with `--import`. Sends the longest stall of its event loop to the parent process, in
// milliseconds, twice a second.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';

const resolutionMs = 5;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();
setInterval(() => {
  process.send?.({ stallMs: Math.max(0, delay.max / 1e6 - resolutionMs) });
  delay.reset();
}, 500).unref();
process.channel?.unref();
