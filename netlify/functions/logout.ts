import type { Config } from '@netlify/functions';
import { endSession } from '../server/auth/sessions.ts';
import { doneReceipt } from '../../src/domain/session.ts';
import { signInPage } from '../server/auth/sign-in-page.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { requireSameOrigin } from '../server/http/same-origin.ts';

export default endpoint(
  on('POST', '/api/logout', {
    access: 'public',
    summary: 'Ends the session',
    output: doneReceipt,
    run: async ({ request, services, record }) => {
      requireSameOrigin(request);
      const { email, cookie } = await endSession(request, services);
      if (email !== null) record('signed out', '', email);
      // Nothing of the admin stays in the browser's caches. Unsaved writing in its storage does: it is the admin's own.
      const headers = { 'set-cookie': cookie, 'clear-site-data': '"cache"' };
      return wantsPage(request) ? seeOther(signInPage, headers) : json({ success: true }, { headers });
    },
  }),
);

export const config: Config = {
  path: '/api/logout',
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
