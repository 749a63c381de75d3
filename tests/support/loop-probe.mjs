// Loaded into the host process with `--import`. Each message from the parent process is answered with the longest block
// of the event loop since the message before, in milliseconds; the first message starts the measurement. `stallMs` is
// elapsed time, which on a shared machine includes the time that other processes used. `workMs` is the processor time
// of the main thread.
import { performance } from 'node:perf_hooks';
import process from 'node:process';

const intervalMs = 5;
let stallMs = 0;
let workMs = 0;
let measuring = false;

process.on('message', () => {
  if (!measuring) measure();
  measuring = true;
  process.send?.({ stallMs, workMs });
  stallMs = 0;
  workMs = 0;
});
// The host can end while the parent still listens.
process.channel?.unref();

function measure() {
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
}
