import { apiPaths } from '../../src/domain/api-paths.ts';
import { activityPage, activityQuery } from '../../src/domain/activity.ts';
import { endpoint, on } from '../server/http/endpoint.ts';

export default endpoint(
  { requestsAMinute: 600 },
  on('GET', apiPaths.activity, {
    access: 'admin',
    summary: 'What admins did, newest first',
    query: activityQuery,
    output: activityPage,
    run: async ({ query, services: { stores } }) => await stores.activity.list(query),
  }),
);
