import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../lib/api.ts';
import { backup } from './backup.ts';

/** A browser and a server that store every value, unless a test makes them fail. */
function browserAndServer() {
  const stored: { device: string | null; server: (string | null)[] } = { device: null, server: [] };
  const failing: { device?: boolean; server?: Error } = {};
  const copies = backup<string>({
    toDevice: (value) => {
      if (failing.device) return false;
      stored.device = value;
      return true;
    },
    toServer: async (value) => {
      if (failing.server) throw failing.server;
      stored.server.push(value);
    },
    delayMs: 1,
  });
  return { stored, failing, copies };
}

test('The latest of several changes reaches the server, and nothing stays in the browser', async () => {
  const { stored, copies } = browserAndServer();
  for (const text of ['a', 'ab', 'abc']) copies.changed(text);
  expect(copies.state().where).toBe('waiting');
  await expect.poll(() => copies.state().where).toBe('server');
  expect(stored).toEqual({ device: null, server: ['abc'] });
});

test('A change that the server refuses stays in the browser with the reason, and is sent again with the next change', async () => {
  const { stored, failing, copies } = browserAndServer();
  failing.server = new NetworkError('gone');
  copies.changed('a');
  expect(await copies.flush()).toBe(false);
  expect(copies.state()).toMatchObject({ where: 'device', reason: 'offline' });
  expect(stored.device).toBe('a');
  failing.server = new ApiError(new Response(null, { status: 401 }), '');
  expect(await copies.flush()).toBe(false);
  expect(copies.state().reason).toBe('signed-out');
  failing.server = new ApiError(new Response(null, { status: 500 }), '');
  copies.changed('ab');
  await expect.poll(() => copies.state().reason).toBe('failed');
  delete failing.server;
  expect(await copies.flush()).toBe(true);
  expect(stored).toEqual({ device: null, server: ['ab'] });
});

test('Before the page goes away, the browser keeps what the server does not have, and says if it cannot', async () => {
  const { stored, failing, copies } = browserAndServer();
  expect(copies.leave()).toBe(true);
  copies.changed('a');
  expect(copies.leave()).toBe(true);
  expect(stored).toEqual({ device: 'a', server: [] });
  failing.device = true;
  expect(copies.leave()).toBe(false);
  failing.server = new NetworkError('gone');
  await copies.flush();
  expect(copies.state().where).toBe('nowhere');
});

test('A change during an upload reaches the server too, without another change', async () => {
  const server: (string | null)[] = [];
  const upload = Promise.withResolvers<void>();
  const copies = backup<string>({
    toDevice: () => true,
    toServer: async (value) => {
      server.push(value);
      if (value === 'a') await upload.promise;
    },
    delayMs: 1,
  });
  copies.changed('a');
  await expect.poll(() => server).toEqual(['a']);
  copies.changed('ab');
  upload.resolve();
  await expect.poll(() => server).toEqual(['a', 'ab']);
});

test('Saved text is deleted once, and text that was never stored needs no deletion', async () => {
  const { stored, copies } = browserAndServer();
  copies.changed(null);
  expect(await copies.flush()).toBe(true);
  expect(stored.server).toEqual([]);
  copies.found('2026-03-02T18:30:00.000Z');
  expect(copies.state()).toMatchObject({ where: 'server', at: '2026-03-02T18:30:00.000Z' });
  copies.changed(null);
  copies.changed(null);
  expect(await copies.flush()).toBe(true);
  expect(stored.server).toEqual([null]);
  expect(copies.state().where).toBe('nothing');
});
