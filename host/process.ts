import { createServer } from 'node:net';
import process from 'node:process';
import { type Env, EnvError } from '../netlify/server/env.ts';
import { Refusal } from '../netlify/server/http/refusal.ts';
import { logError } from '../netlify/server/log.ts';
import { SiteDetailsError } from '../netlify/server/site-details.ts';
import { BuildError } from './build.ts';
import type { Host } from './server.ts';

// A terminal's Ctrl-C reaches this process directly, and once more through npm.
const samePressMs = 1_000;

/** Stops at SIGTERM or SIGINT, finishing what runs; a second one ends the process at once. */
export function stopOnSignals(host: Host): void {
  let since: number | undefined;
  const stop = (): void => {
    if (since !== undefined) {
      if (Date.now() - since > samePressMs) process.exit(1);
      return;
    }
    since = Date.now();
    console.log('Stopping: running requests are finished first.');
    host.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logError('stopping failed', {}, error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

/** Rejects as the server would, so that a taken port is found before minutes of building. */
export async function checkPort({ PORT, HOST }: Env): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(PORT, HOST, () => probe.close(() => resolve()));
  });
}

/** Ends a start that failed, with what a person can do about it where that is known. */
export function failStart(error: unknown): never {
  console.error(adviceOn(error) ?? error);
  process.exit(1);
}

function adviceOn(error: unknown): string | undefined {
  if ([EnvError, SiteDetailsError, BuildError, Refusal].some((kind) => error instanceof kind)) {
    return (error as Error).message;
  }
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${address} is taken by another program. Stop that one, or set PORT to another number.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is no address of this machine${address === undefined ? '' : `: ${address}`}.`;
    case 'EACCES':
      return port === undefined ? undefined : `Port ${port} needs more rights. Set PORT to a number above 1023.`;
    default:
      return undefined;
  }
}
