// Preloaded into the host process of a test (`node --import`). Provides a clock that can be set while the process runs,
// like `date -s`. The file at CLOCK_OFFSET_FILE contains the milliseconds to add, and SIGUSR2 makes the process read
// the file again. As on a real machine, timers do not change.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const file = process.env.CLOCK_OFFSET_FILE ?? '';
let offset = 0;
const read = (): void => {
  offset = Number(readFileSync(file, 'utf8'));
};
read();
process.on('SIGUSR2', read);

const RealDate = Date;
class ShiftedDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length === 0 ? [RealDate.now() + offset] : given) as [number]));
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
}
globalThis.Date = ShiftedDate as DateConstructor;
