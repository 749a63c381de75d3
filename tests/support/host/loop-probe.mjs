// Loaded into the host process with `--import`. Each message from the parent process is answered with the most processor
// time, in milliseconds, that the main thread used in one round of the event loop since the message before. The first
// message starts the measurement.
import process from 'node:process';

let workMs = 0;
let measuring = false;

process.on('message', () => {
  if (!measuring) measure();
  measuring = true;
  process.send?.(workMs);
  workMs = 0;
});
// The host can end while the parent still listens.
process.channel?.unref();

function measure() {
  let usedBefore = process.threadCpuUsage();
  setInterval(() => {
    const used = process.threadCpuUsage(usedBefore);
    workMs = Math.max(workMs, (used.user + used.system) / 1_000);
    usedBefore = process.threadCpuUsage();
  }, 5).unref();
}
