import type { Config } from '@netlify/functions';
import { requireSession } from '../server/auth/sessions.ts';
import { endpoint, on } from '../server/http/endpoint.ts';

export default endpoint(
  on('GET', '/api/auth/status', {
    access: 'public',
    run: async ({ request, services }) => {
      const { email, expiresAt } = await requireSession(request, services);
      return { user: { email }, expiresAt };
    },
  }),
);

export const config: Config = {
  path: '/api/auth/status',
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
