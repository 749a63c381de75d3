// Preloaded into a host process of a test (`node --import`): a clock that can be set while the process runs, as `date -s` does. The
// file that CLOCK_OFFSET_FILE names holds milliseconds to add; SIGUSR2 has it read again. Timers keep their pace, as on a machine.
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
