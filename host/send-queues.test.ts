import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { remoteEnd, sendQueues } from './send-queues.ts';

// Only Linux has the kernel's table of connections. On other systems, the host waits longer for a slow client.
test.runIf(process.platform === 'linux').for([
  ['127.0.0.1', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['::1', '::1'],
])('A server on %s knows how many bytes its client at %s has not accepted', async ([listen, host]) => {
  const server = createServer().listen(0, listen);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(port, host).pause();
  const [socket] = await accepted;
  const bytes = 16 * 1024 * 1024;
  socket.write(Buffer.alloc(bytes));
  const queued = async (): Promise<number> => {
    const queue = (await sendQueues(port))?.get(remoteEnd(socket));
    if (queue === undefined) throw new Error('The table has no such connection.');
    return queue;
  };
  await vi.waitFor(async () => expect(await queued()).toBeGreaterThan(0));
  client.resume();
  await vi.waitFor(async () => expect((await queued()) + socket.writableLength).toBe(0), 5_000);
  client.destroy();
  server.close();
});
