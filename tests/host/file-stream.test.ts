import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunkBytes, fileStream } from '../../host/data/file-stream.ts';

const bytes = Uint8Array.from({ length: chunkBytes * 3 + 17 }, (_, index) => index % 251);
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-stream-'));
  path = join(folder, 'file');
  await writeFile(path, bytes);
});
afterAll(() => rm(folder, { recursive: true }));

const bytesOf = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => await new Response(stream).bytes();

describe('A file that is streamed', () => {
  test('arrives whole or in part, and is closed', async () => {
    const parts = [
      [0, bytes.length - 1],
      [5, 5],
      [chunkBytes - 1, chunkBytes],
      [chunkBytes, chunkBytes * 2 - 1],
    ] as const;
    const whole = await open(path);
    expect(await bytesOf(fileStream(whole))).toEqual(bytes);
    expect(whole.fd).toBe(-1);
    for (const [start, end] of parts) {
      const file = await open(path);
      expect(await bytesOf(fileStream(file, { start, end }))).toEqual(bytes.slice(start, end + 1));
      expect(file.fd).toBe(-1);
    }
  });

  test('is closed when its reader leaves', async () => {
    const file = await open(path);
    const reader = fileStream(file).getReader();
    await reader.read();
    await reader.cancel();
    expect(file.fd).toBe(-1);
  });

  test('is refused if thousands of readers wait for a chunk, and holds no memory for those that wait', async () => {
    const { promise: slowDisk, resolve: answer } = Promise.withResolvers<void>();
    let allocated = 0;
    const read = async (chunk: Uint8Array) => {
      allocated += chunk.byteLength;
      await slowDisk;
      return { bytesRead: 0, buffer: chunk };
    };
    const file = { read, close: async () => undefined } as unknown as FileHandle;
    const reads = Array.from({ length: 2_100 }, () => fileStream(file).getReader().read());
    const outcomes = Promise.allSettled(reads);
    await expect(reads.at(-1)).rejects.toThrow('Too many files are being read.');
    expect(allocated).toBe(4 * chunkBytes);
    answer();
    expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(2_100 - 2_048 - 4);
  });

  test('is read by a few chunks at a time, however many people download it', async () => {
    let reading = 0;
    let most = 0;
    const downloads = Array.from({ length: 100 }, async () => {
      const file = await open(path);
      const read = file.read.bind(file) as (...args: unknown[]) => Promise<unknown>;
      const counted = async (...args: unknown[]) => {
        most = Math.max(most, (reading += 1));
        return await read(...args).finally(() => (reading -= 1));
      };
      return await bytesOf(fileStream(Object.assign(file, { read: counted })));
    });
    for (const download of await Promise.all(downloads)) expect(download.length).toBe(bytes.length);
    expect(most).toBeLessThanOrEqual(4);
  });
});
