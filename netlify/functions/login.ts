import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { signInInput, signInReceipt } from '../../src/domain/session.ts';
import { beginSignIn, finishSignIn } from '../server/auth/oidc.ts';
import { startSession } from '../server/auth/sessions.ts';
import { signInAddress, wantedPage } from '../server/auth/sign-in-page.ts';
import { checkPassword } from '../server/auth/sign-in.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal } from '../server/http/refusal.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { requireSameOrigin } from '../server/http/same-origin.ts';

/** What an OpenID provider may answer with (RFC 6749, 4.1.2; RFC 9207). The host drops every other key. */
const callbackQuery = z.partial(
  z.object({
    code: z.string(),
    state: z.string(),
    iss: z.string(),
    session_state: z.string(),
    error: z.string(),
    error_description: z.string(),
    error_uri: z.string(),
  }),
);

export default endpoint(
  on('GET', '/api/login', {
    access: 'public',
    summary: 'Leads to the sign-in page, or to the OpenID provider',
    query: z.object({ returnTo: z.optional(z.string()) }),
    output: null,
    status: 303,
    run: beginSignIn,
  }),
  on('GET', '/api/login/callback', {
    access: 'public',
    summary: 'Where the OpenID provider sends people back to',
    query: callbackQuery,
    output: null,
    status: 303,
    run: finishSignIn,
  }),
  on('POST', '/api/login', {
    access: 'public',
    summary: 'Signs in by password',
    input: signInInput,
    output: signInReceipt,
    invalid: async ({ request, body, fromForm }) =>
      fromForm && wantsPage(request) ? seeOther(signInAddress(wantedPage(request, body), 'invalid')) : null,
    run: async ({ request, input, body, address, fromForm, services, record }) => {
      requireSameOrigin(request);
      const native = fromForm && wantsPage(request);
      let email: string;
      try {
        email = await checkPassword(input, address, services);
      } catch (error) {
        if (!native || !(error instanceof Refusal)) throw error;
        const outcome = error.code === 'too_many_requests' ? 'locked' : 'invalid';
        return seeOther(signInAddress(wantedPage(request, body), outcome), error.headers);
      }
      record('signed in', '', email);
      const { token, cookie } = await startSession(email, request, services);
      if (native) return seeOther(wantedPage(request, body), { 'set-cookie': cookie });
      return json({ success: true, token, user: { email } }, { headers: { 'set-cookie': cookie } });
    },
  }),
);

export const config: Config = {
  path: ['/api/login', '/api/login/callback'],
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
