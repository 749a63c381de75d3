import { turns } from './turns.ts';

/** Exports read whole tables: a few run at the same time, so that everybody else has the database and the processor, too. */
export const inExportTurn = turns({
  atOnce: 2,
  waiting: 6,
  busy: 'Too many exports are running. Please try again in a moment.',
});

/** A slow reader keeps its turn no longer, in milliseconds: its own speed then keeps its export from using much. */
const longestTurn = 60_000;

/**
 * Answers with a file that is written while it is sent, once its turn has come.
 * @param answer starts the file; it calls `finished` when the file has been read to its end, or given up.
 * @throws {Refusal} `unavailable` where too many exports wait already.
 */
export async function streamedExport(answer: (finished: () => void) => Response): Promise<Response> {
  return await new Promise<Response>((resolve, reject) => {
    const turn = () =>
      new Promise<void>((finish) => {
        const timer = setTimeout(finish, longestTurn).unref();
        resolve(
          answer(() => {
            clearTimeout(timer);
            finish();
          }),
        );
      });
    inExportTurn(turn).catch(reject);
  });
}
