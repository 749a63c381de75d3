import type { Part } from './platform.ts';

/** Returns a byte range of a stream. Holds at most one chunk in memory, and stops reading after the last byte. */
export function partOf(whole: ReadableStream<Uint8Array>, { start, end }: Part): ReadableStream<Uint8Array> {
  let position = 0;
  return whole.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const from = Math.max(0, start - position);
        const to = Math.min(chunk.byteLength, end + 1 - position);
        if (to > from) controller.enqueue(chunk.subarray(from, to));
        position += chunk.byteLength;
        if (position > end) controller.terminate();
      },
    }),
  );
}
