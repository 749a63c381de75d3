import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns the number of the socket that systemd opened for this process (docs/deploy/site.socket). Connections wait in this
 * socket while the site restarts. scripts/node24.mjs, the parent process, passes the socket on.
 */
export function systemdSocket(): number | undefined {
  const { LISTEN_FDS, LISTEN_PID } = process.env;
  return LISTEN_FDS === '1' && [process.pid, process.ppid].includes(Number(LISTEN_PID)) ? 3 : undefined;
}

/** Ends the connections that wait in systemd's socket, so the proxy shows its page for the time when the site is down. */
export async function refuseWaiting(): Promise<void> {
  const fd = systemdSocket();
  if (fd === undefined) return;
  const server = createServer((connection) => connection.resetAndDestroy()).listen({ fd });
  await once(server, 'listening');
  await sleep(100);
  server.close();
}
