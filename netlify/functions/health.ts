import type { Config } from '@netlify/functions';
import packageJson from '../../package.json' with { type: 'json' };
import type { HealthReport } from '../../src/domain/health.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { json } from '../server/http/respond.ts';
import { logError } from '../server/log.ts';

/** `ok`, or that it does not answer; why stands in the log, since it may name hosts. */
async function probe(what: string, work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'ok';
  } catch (error) {
    logError(`${what} does not answer`, {}, error);
    return `the ${what} does not answer; the server's log says why`;
  }
}

export default endpoint(
  on('GET', '/api/health', {
    access: 'public',
    run: async ({ services: { stores, blobs } }) => {
      const [database, blobStore] = await Promise.all([
        probe('database', () => stores.admins.first()),
        probe('blob store', () => blobs('health').get('probe')),
      ]);
      const healthy = database === 'ok' && blobStore === 'ok';
      const report: HealthReport = {
        status: healthy ? 'ok' : 'failing',
        version: packageJson.version,
        database,
        blobs: blobStore,
      };
      return json(report, { status: healthy ? 200 : 503 });
    },
  }),
);

export const config: Config = { path: '/api/health' };
