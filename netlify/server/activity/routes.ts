import { activityPage, activityQuery } from '../../../src/domain/activity.ts';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { on } from '../http/endpoint.ts';

export const activityRoute = on('GET', apiPaths.activity, {
  summary: 'What admins did, newest first',
  query: activityQuery,
  output: activityPage,
  run: async ({ query, services: { stores } }) => await stores.activity.list(query),
});
