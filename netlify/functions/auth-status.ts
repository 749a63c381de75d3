import { apiPaths } from '../../src/domain/api-paths.ts';
import { freshSignInMinutes } from '../../src/domain/retention.ts';
import { doneReceipt, sessionUser } from '../../src/domain/session.ts';
import { requireSession } from '../server/auth/sessions.ts';
import { endpoint, on } from '../server/endpoint/endpoint.ts';

export default endpoint(
  { requestsAMinute: 600 },
  on('GET', apiPaths.authStatus, {
    access: 'public',
    summary: 'Returns the signed-in admin, or 401 without a session',
    output: sessionUser,
    run: async ({ request, services }) => {
      const { email, expiresAt } = await requireSession(request, services);
      return { user: { email }, expiresAt, openId: services.env.OIDC_ISSUER !== undefined };
    },
  }),
  on('GET', apiPaths.authFresh, {
    access: 'admin',
    fresh: true,
    summary: `Returns whether the admin signed in within the last ${freshSignInMinutes} minutes`,
    output: doneReceipt,
    run: async () => ({ success: true }),
  }),
);
