import { type RequestListener, request } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import type { Site } from '../host/site.ts';
import { serve } from './ports.ts';

/** A connection fault for the next request to a path. */
interface Fault {
  readonly path: RegExp;
  /** Cuts the connection before the site gets the request, or after the site has responded. */
  readonly cut: 'before' | 'after';
}

/**
 * Provides a proxy for the site whose connections a test can cut. Call it once, at the top of the file, after
 * `useSite`.
 */
export function useRelay(site: Site) {
  const faults: Fault[] = [];
  const passed: string[] = [];
  const relay: RequestListener = (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const index = faults.findIndex(({ path }) => path.test(url));
    const [fault] = index < 0 ? [] : faults.splice(index, 1);
    if (fault?.cut === 'before') return void incoming.socket.destroy();
    const onward = request(new URL(url, site.url), { method, headers }, (answer) => {
      if (fault) return void answer.resume().on('end', () => incoming.socket.destroy());
      passed.push(`${method} ${url}`);
      // If a reused connection breaks, a browser repeats the request itself, and the page never notices the fault.
      // So each connection serves only one request.
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' });
      answer.pipe(outgoing);
    });
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  };
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => void (server = await serve(relay)));
  afterAll(() => server.stop());
  return {
    get url() {
      return server.url;
    },
    /** The requests whose responses were passed on, such as `POST /api/contact`. */
    passed,
    /** Cuts the connection of the next request to this path. */
    cutNext: (path: RegExp, cut: Fault['cut'] = 'before') => void faults.push({ path, cut }),
  };
}
