import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readEnv } from '../../../netlify/server/env.ts';
import { type HostOptions, startHost } from '../../../host/http/server.ts';

export type TestSite = Awaited<ReturnType<typeof testSite>>;

export interface TestSiteOptions {
  /**
   * File contents by path under the site's root. Unless it is listed, `dist/robots.txt` is an empty file.
   */
  readonly files: Record<string, string | Uint8Array>;
  readonly variables?: Record<string, string>;
  readonly limits?: HostOptions['limits'];
}

/** Starts a site in a temporary folder for a test, served by the real host on a free port. */
export async function testSite({ files, variables, limits }: TestSiteOptions) {
  const root = await mkdtemp(join(tmpdir(), 'host-test-'));
  for (const [path, content] of Object.entries({ 'dist/robots.txt': '', ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const env = readEnv({ PORT: '0', DATA_DIR: join(root, '.data'), ...variables });
  const host = await startHost({ env, root, ...(limits && { limits }) });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= host.close());
  return {
    url: host.url,
    port: Number(new URL(host.url).port),
    /** Sends a request without following redirects. */
    get: (path: string, init?: RequestInit) => fetch(host.url + path, { redirect: 'manual', ...init }),
    /** Stops the host as a service manager would. */
    stop,
    /** Stops the host and removes the folder. */
    close: async () => {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
