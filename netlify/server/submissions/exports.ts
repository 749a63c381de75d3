import { turns } from '../runtime/turns.ts';

/** Runs at most two exports at the same time, because an export reads a whole table. */
export const inExportTurn = turns({
  atOnce: 2,
  waiting: 6,
  busy: 'Too many exports are running. Please try again in a moment.',
});

/** After this many milliseconds, a download frees its slot in the queue, because a slow download causes little load. */
const longestTurn = 60_000;

/**
 * Waits for a slot in the queue, then returns a response whose body is generated while it is sent.
 * @param answer creates the response. It calls `finished` when the body is complete, has failed or was canceled.
 * @throws {Refusal} `unavailable` if too many exports are waiting.
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
