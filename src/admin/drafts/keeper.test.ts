import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../lib/api.ts';
import { keeper } from './keeper.ts';

/** A browser and a server that store every value, unless a test makes them fail. */
function browserAndServer() {
  const device: string[] = [];
  const server: string[] = [];
  const failing: { device?: Error; server?: Error } = {};
  const keep = keeper<string>({
    toDevice: async (value) => {
      if (failing.device) throw failing.device;
      device.push(value);
    },
    toServer: async (value) => {
      if (failing.server) throw failing.server;
      server.push(value);
    },
    delayMs: 1,
  });
  return { device, server, failing, keep };
}

test('every change reaches this browser immediately, and the latest one reaches the server', async () => {
  const { device, server, keep } = browserAndServer();
  keep.changed('a');
  keep.changed('ab');
  keep.changed('abc');
  expect(keep.state().server).toBe('waiting');
  await expect.poll(() => keep.state().server).toBe('kept');
  expect(device.at(-1)).toBe('abc');
  expect(server).toEqual(['abc']);
  expect(keep.state()).toMatchObject({ device: 'kept', error: null });
});

test('a change that the server refuses is reported with the reason, and sent again with the next change', async () => {
  const { server, failing, keep } = browserAndServer();
  failing.server = new NetworkError('gone');
  keep.changed('a');
  expect(await keep.flush()).toBe(false);
  expect(keep.state()).toMatchObject({ server: 'offline', device: 'kept' });
  failing.server = new ApiError(new Response(null, { status: 401 }), '');
  expect(await keep.flush()).toBe(false);
  expect(keep.state().server).toBe('signed-out');
  failing.server = new ApiError(new Response(null, { status: 500 }), '');
  keep.changed('ab');
  await expect.poll(() => keep.state().server).toBe('failed');
  delete failing.server;
  expect(await keep.flush()).toBe(true);
  expect(server).toEqual(['ab']);
});

test('if the browser cannot store drafts, the admin is told, and the server still stores them', async () => {
  const { server, failing, keep } = browserAndServer();
  failing.device = new Error('full');
  keep.changed('a');
  await keep.flush();
  expect(keep.state()).toMatchObject({ device: 'failed', server: 'kept' });
  expect(server).toEqual(['a']);
});

test('a change that only this browser stores is at risk until it is stored', async () => {
  const stored = Promise.withResolvers<void>();
  const keep = keeper<string>({ toDevice: () => stored.promise });
  expect(keep.isAtRisk()).toBe(false);
  keep.changed('a');
  expect(keep.isAtRisk()).toBe(true);
  stored.resolve();
  await expect.poll(() => keep.state()).toMatchObject({ device: 'kept', server: 'nothing' });
  expect(keep.isAtRisk()).toBe(false);
  expect(await keep.flush()).toBe(true);
});

test('a change during an upload reaches the server too, without another change', async () => {
  const server: string[] = [];
  const upload = Promise.withResolvers<void>();
  const keep = keeper<string>({
    toDevice: () => Promise.resolve(),
    toServer: async (value) => {
      server.push(value);
      if (value === 'a') await upload.promise;
    },
    delayMs: 1,
  });
  keep.changed('a');
  await expect.poll(() => keep.state().server).toBe('sending');
  keep.changed('ab');
  upload.resolve();
  await expect.poll(() => keep.state().server).toBe('kept');
  expect(server).toEqual(['a', 'ab']);
});

test('a saved change is not sent again', async () => {
  const { server, keep } = browserAndServer();
  keep.changed('a');
  await keep.clear();
  expect(keep.state()).toMatchObject({ device: 'nothing', server: 'nothing' });
  expect(await keep.flush()).toBe(true);
  expect(server).toEqual([]);
});
