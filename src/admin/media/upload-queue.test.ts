import { expect, test } from 'vitest';
import { uploadQueue } from './upload-queue.ts';

const file = (name: string) => new File(['x'], name);
const queue = () =>
  uploadQueue((error) => ({ reason: error instanceof Error ? error.message : 'unknown', again: error !== wrongType }));
const wrongType = new Error('wrong type');
const names = (one: ReturnType<typeof queue>) => one.files().map(({ file: { name }, state }) => `${name} ${state}`);

/** A `send` function whose uploads end when the test resolves or rejects them. */
function sender() {
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  return {
    ends,
    send: (sent: File, { signal }: { signal: AbortSignal }) =>
      new Promise<void>((resolve, reject) => {
        ends.set(sent.name, { resolve, reject });
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('Two files are sent at the same time, and the next one starts when one is done', async () => {
  const files = queue();
  const { send, ends } = sender();
  files.add([file('a'), file('b'), file('c')], send);
  expect(names(files)).toEqual(['a sending', 'b sending', 'c waiting']);
  ends.get('a')?.resolve();
  await settled();
  expect(names(files)).toEqual(['b sending', 'c sending']);
});

test('A failed upload stays with its reason until the admin retries or dismisses it', async () => {
  const files = queue();
  const { send, ends } = sender();
  files.add([file('a'), file('b')], send);
  ends.get('a')?.reject(new Error('no network'));
  await settled();
  expect(files.files()[0]).toMatchObject({ state: 'failed', reason: 'no network', again: true });
  files.retry(files.files()[0]?.key ?? 0);
  expect(names(files)).toEqual(['a sending', 'b sending']);
  ends.get('a')?.resolve();
  await settled();
  expect(names(files)).toEqual(['b sending']);
});

test('A canceled upload disappears, even while it is sending, and the next one starts', async () => {
  const files = queue();
  const { send } = sender();
  files.add([file('a'), file('b'), file('c'), file('d')], send);
  files.cancel(files.files()[3]?.key ?? 0);
  files.cancel(files.files()[0]?.key ?? 0);
  await settled();
  expect(names(files)).toEqual(['b sending', 'c sending']);
});

test('A refused file is shown, and never sent', () => {
  const files = queue();
  files.refuse(file('huge'), 'too large');
  expect(files.files()[0]).toMatchObject({ state: 'failed', again: false });
});

test('A file that the server will never accept can only be dismissed', async () => {
  const files = queue();
  const { send, ends } = sender();
  files.add([file('a')], send);
  ends.get('a')?.reject(wrongType);
  await settled();
  expect(files.files()[0]).toMatchObject({ state: 'failed', reason: 'wrong type', again: false });
});
