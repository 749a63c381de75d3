import type { Config } from '@netlify/functions';
import { returnPath, signInInput } from '../../src/domain/session.ts';
import { beginSignIn, finishSignIn, signInPage } from '../server/auth/oidc.ts';
import { startSession } from '../server/auth/sessions.ts';
import { checkPassword } from '../server/auth/sign-in.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal } from '../server/http/refusal.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { requireSameOrigin } from '../server/http/same-origin.ts';

export default endpoint(
  on('GET', '/api/login', { access: 'public', run: beginSignIn }),
  on('GET', '/api/login/callback', { access: 'public', run: finishSignIn }),
  on('POST', '/api/login', {
    access: 'public',
    input: signInInput,
    invalid: async ({ request, fromForm }) =>
      fromForm && wantsPage(request) ? seeOther(`${signInPage}#invalid`) : null,
    run: async ({ request, input, body, address, fromForm, services, record }) => {
      requireSameOrigin(request);
      const native = fromForm && wantsPage(request);
      let email: string;
      try {
        email = await checkPassword(input, address, services);
      } catch (error) {
        if (!native || !(error instanceof Refusal)) throw error;
        return seeOther(`${signInPage}#${error.code === 'too_many_requests' ? 'locked' : 'invalid'}`, error.headers);
      }
      record('signed in', '', email);
      const { token, cookie } = await startSession(email, request, services);
      if (native) return seeOther(returnPath((body as Record<string, unknown>).returnTo), { 'set-cookie': cookie });
      return json({ success: true, token, user: { email } }, { headers: { 'set-cookie': cookie } });
    },
  }),
);

export const config: Config = {
  path: ['/api/login', '/api/login/callback'],
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
