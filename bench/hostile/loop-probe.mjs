// Loaded into the host process with `--import`. Twice a second, sends two figures in milliseconds to the parent
// process: `stallMs` is the longest delay of a 5 ms timer, and `workMs` is the most processor time that the main thread
// used between two calls of this timer. On a shared machine, `stallMs` includes waits for other processes.
import { performance } from 'node:perf_hooks';
import process from 'node:process';

const intervalMs = 5;
let stallMs = 0;
let workMs = 0;
let roundBegan = performance.now();
let usedBefore = process.threadCpuUsage();

setInterval(() => {
  const now = performance.now();
  const used = process.threadCpuUsage(usedBefore);
  stallMs = Math.max(stallMs, now - roundBegan - intervalMs);
  workMs = Math.max(workMs, (used.user + used.system) / 1_000);
  roundBegan = now;
  usedBefore = process.threadCpuUsage();
}, intervalMs).unref();

setInterval(() => {
  process.send?.({ stallMs, workMs });
  stallMs = 0;
  workMs = 0;
}, 500).unref();
process.channel?.unref();
