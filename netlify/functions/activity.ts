import type { Config } from '@netlify/functions';
import { activityPage, activityQuery } from '../../src/domain/activity.ts';
import { endpoint, on } from '../server/http/endpoint.ts';

export default endpoint(
  on('GET', '/api/settings/activity', {
    access: 'admin',
    summary: 'What admins did, newest first',
    query: activityQuery,
    output: activityPage,
    run: async ({ query, services: { stores } }) => await stores.activity.list(query),
  }),
);

export const config: Config = {
  path: '/api/settings/activity',
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
