import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** Provides a server that counts the requests to a build hook in each test. Call it once, before `useApi`. */
export function useBuildHook() {
  let rebuilds = 0;
  const server = createServer((_, response) => {
    rebuilds += 1;
    response.end();
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  beforeEach(() => void (rebuilds = 0));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  return {
    get rebuilds() {
      return rebuilds;
    },
    /** Returns the variables of a site that uses the build hook. */
    variables: () => ({ BUILD_HOOK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
  };
}
