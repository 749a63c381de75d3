import { apiPaths } from '../../src/domain/api-paths.ts';
import { healthReport } from '../../src/domain/site-status.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { json } from '../server/http/respond.ts';
import { checkHealth, reportOf } from '../server/status/checks.ts';

export default endpoint(
  { requestsAMinute: 600 },
  on('GET', apiPaths.health, {
    access: 'public',
    summary: 'Reports whether each part of the site works; 503 if the site does not',
    output: healthReport,
    run: async ({ services }) => {
      const report = reportOf(await checkHealth(services));
      return json(report, { status: report.status === 'failing' ? 503 : 200 });
    },
  }),
);
