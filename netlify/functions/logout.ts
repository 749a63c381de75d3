import { apiPaths } from '../../src/domain/api-paths.ts';
import { endSession } from '../server/auth/sessions.ts';
import { doneReceipt } from '../../src/domain/session.ts';
import { signInPage } from '../server/auth/sign-in-page.ts';
import { endpoint, on } from '../server/endpoint/endpoint.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { requireSameOrigin } from '../server/http/same-origin.ts';

export default endpoint(
  { requestsAMinute: 120 },
  on('POST', apiPaths.logout, {
    access: 'public',
    summary: 'Ends the session',
    output: doneReceipt,
    run: async ({ request, services, record }) => {
      requireSameOrigin(request, services.env);
      const { email, cookie } = await endSession(request, services);
      if (email !== null) record('signed out', '', email);
      // Clears the browser's cache of admin data, but not its storage, which holds unsaved drafts that the admin may
      // want.
      const headers = { 'set-cookie': cookie, 'clear-site-data': '"cache"' };
      return wantsPage(request) ? seeOther(signInPage, headers) : json({ success: true }, { headers });
    },
  }),
);
