import type { FileHandle } from 'node:fs/promises';
import { turns } from '../../netlify/server/turns.ts';

/** Maximum bytes of a file that wait in memory for a slow reader. */
export const chunkBytes = 64 * 1024;

/**
 * Reads a few chunks at a time. Each chunk takes a tenth of a millisecond of this thread, so hundreds of downloads that
 * arrive at the same time would block the thread. Each stream has at most one chunk in the queue. The queue is long
 * enough, because requests/guard.ts allows at most half as many responses in progress.
 */
const inTurn = turns({ atOnce: 4, waiting: 2_048, busy: 'Too many files are being read. Please try again.' });

/**
 * Returns a file, or a part of it, as a stream that reads from the disk at the speed of its reader. Closes the file at
 * the end. Node's own conversion of a file stream copies each chunk and takes twice the time.
 * @param part the first and the last byte.
 * @returns a stream that fails with the error `Refusal` (`unavailable`) if too many streams wait for a chunk.
 */
export function fileStream(
  file: FileHandle,
  { start, end }: { start: number; end: number } = { start: 0, end: Infinity },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let position = start;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { buffer, bytesRead } = await inTurn(() => {
            // Allocates memory only now, so a stream that waits for its turn holds no memory.
            const chunk = new Uint8Array(Buffer.allocUnsafeSlow(Math.min(chunkBytes, end + 1 - position)).buffer);
            return file.read(chunk, 0, chunk.byteLength, position);
          });
          position += bytesRead;
          if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
          if (bytesRead > 0 && position <= end) return;
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        await file.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}
