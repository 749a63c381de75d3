/**
 * Reads a body into memory, up to a limit.
 * @returns the bytes if there are at most `limit`. Otherwise, returns a stream of the whole body, of which only about
 * `limit` bytes were read.
 */
export async function readUpTo(
  response: Response,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const { body } = response;
  if (!body) return new Uint8Array();
  if (Number(response.headers.get('content-length') ?? 0) > limit) return body;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(Buffer.concat(chunks, length));
    chunks.push(value);
    length += value.byteLength;
    if (length > limit) break;
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const read = chunks.shift();
        if (read) return controller.enqueue(read);
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
