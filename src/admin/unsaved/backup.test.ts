import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../lib/request/api.ts';
import { type BackupState, backup } from './backup.ts';

interface Words {
  text: string;
}

/** A browser and a server that store every value, unless a test makes them fail. */
function browserAndServer() {
  const stored: { device: string | null; server: (string | null)[] } = { device: null, server: [] };
  const failing: { device?: boolean; server?: Error; until?: Promise<void> } = {};
  const shown: BackupState[] = [];
  const copies = backup<Words>({
    toDevice: (value) => {
      if (failing.device) return false;
      stored.device = value && value.text;
      return true;
    },
    toServer: async (value) => {
      if (failing.server) throw failing.server;
      stored.server.push(value && value.text);
      await failing.until;
    },
    onState: (state) => shown.push(state),
    delayMs: 1,
  });
  return { stored, failing, copies, type: (text: string) => copies.changed({ text }) };
}

test('A change that the server refuses stays in the browser with the reason, and is sent again with the next change', async () => {
  const { stored, failing, copies, type } = browserAndServer();
  failing.server = new NetworkError('gone');
  type('a');
  expect(await copies.flush()).toBe(false);
  expect(copies.state().failure).toEqual({ error: failing.server, onDevice: true });
  expect(stored.device).toBe('a');
  failing.server = new ApiError(new Response(null, { status: 401 }), '');
  expect(await copies.flush()).toBe(false);
  expect(copies.state().failure?.error).toBe(failing.server);
  failing.server = new ApiError(new Response(null, { status: 500 }), '');
  type('ab');
  await expect.poll(() => copies.state().failure?.error).toBe(failing.server);
  delete failing.server;
  expect(await copies.flush()).toBe(true);
  expect(stored).toEqual({ device: null, server: ['ab'] });
});

test('Before the page goes away, the browser keeps what the server does not have, and says if it cannot', async () => {
  const { stored, failing, copies, type } = browserAndServer();
  expect(copies.leave()).toBe(true);
  type('a');
  expect(copies.leave()).toBe(true);
  expect(stored).toEqual({ device: 'a', server: [] });
  failing.device = true;
  expect(copies.leave()).toBe(false);
  failing.server = new NetworkError('gone');
  await copies.flush();
  expect(copies.state().failure?.onDevice).toBe(false);
});

test('A change during an upload reaches the server too, without another change', async () => {
  const { stored, failing, type } = browserAndServer();
  const upload = Promise.withResolvers<void>();
  failing.until = upload.promise;
  type('a');
  await expect.poll(() => stored.server).toEqual(['a']);
  type('ab');
  upload.resolve();
  await expect.poll(() => stored.server).toEqual(['a', 'ab']);
});
