import type { Config } from '@netlify/functions';
import { healthReport } from '../../src/domain/health.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { json } from '../server/http/respond.ts';
import { healthOf } from '../server/site-status.ts';

export default endpoint(
  on('GET', '/api/health', {
    access: 'public',
    summary: 'Whether the site does what it is for; 503 where it does not',
    output: healthReport,
    run: async ({ services }) => {
      const report = await healthOf(services);
      return json(report, { status: report.status === 'failing' ? 503 : 200 });
    },
  }),
);

export const config: Config = { path: '/api/health' };
