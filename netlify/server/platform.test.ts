import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partOf } from './platform.ts';

function streamOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

test('a part of a stream has the right bytes, regardless of the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 10 }),
      fc.nat(),
      fc.nat(),
      async (chunks, one, other) => {
        const whole = Buffer.concat(chunks);
        const [start = 0, end = 0] = [one % whole.length, other % whole.length].sort((a, b) => a - b);
        const part = partOf(streamOf(chunks), { start, end });
        const read = Buffer.from(await new Response(part as BodyInit).arrayBuffer());
        expect(read.equals(whole.subarray(start, end + 1))).toBe(true);
      },
    ),
  );
});

test('a stream is not read beyond the part', async () => {
  let chunks = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks += 1;
      controller.enqueue(new Uint8Array(1_000));
    },
  });
  const part = await new Response(partOf(endless, { start: 1_500, end: 2_600 })).arrayBuffer();
  expect(part.byteLength).toBe(1_101);
  expect(chunks).toBeLessThan(10);
});
