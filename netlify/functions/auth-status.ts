import type { Config } from '@netlify/functions';
import { doneReceipt, sessionUser } from '../../src/domain/session.ts';
import { requireSession } from '../server/auth/sessions.ts';
import { endpoint, on } from '../server/http/endpoint.ts';

export default endpoint(
  on('GET', '/api/auth/status', {
    access: 'public',
    summary: 'Who is signed in; 401 without a session',
    output: sessionUser,
    run: async ({ request, services }) => {
      const { email, expiresAt } = await requireSession(request, services);
      return { user: { email }, expiresAt, openId: services.env.OIDC_ISSUER !== undefined };
    },
  }),
  on('GET', '/api/auth/fresh', {
    access: 'admin',
    fresh: true,
    summary: 'Tells whether the admin signed in within the last 10 minutes',
    output: doneReceipt,
    run: async () => ({ success: true }),
  }),
);

export const config: Config = {
  path: ['/api/auth/status', '/api/auth/fresh'],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
