import { expect, test } from 'vitest';
import { backup } from './backup.ts';

test('A change during an upload reaches the server too, without another change', async () => {
  const upload = Promise.withResolvers<void>();
  const stored: unknown[] = [];
  const copies = backup<{ text: string }>({
    toDevice: () => true,
    toServer: async (value) => {
      stored.push(value?.text);
      await upload.promise;
    },
    onState: () => undefined,
    delayMs: 1,
  });
  copies.changed({ text: 'a' });
  await expect.poll(() => stored).toEqual(['a']);
  copies.changed({ text: 'ab' });
  upload.resolve();
  await expect.poll(() => stored).toEqual(['a', 'ab']);
});
