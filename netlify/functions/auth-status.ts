import type { Config } from '@netlify/functions';
import { sessionUser } from '../../src/domain/session.ts';
import { requireSession } from '../server/auth/sessions.ts';
import { endpoint, on } from '../server/http/endpoint.ts';

export default endpoint(
  on('GET', '/api/auth/status', {
    access: 'public',
    summary: 'Who is signed in; 401 where nobody is',
    output: sessionUser,
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
