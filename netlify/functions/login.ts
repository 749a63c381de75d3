import { apiPaths } from '../../src/domain/api-paths.ts';
import * as z from 'zod/mini';
import type { ErrorCode } from '../../src/domain/errors.ts';
import { signInInput, signInReceipt } from '../../src/domain/session.ts';
import { knownBrowser } from '../server/auth/known-browsers.ts';
import { beginSignIn, finishSignIn } from '../server/auth/oidc.ts';
import { signInAddress, wantedPage } from '../server/auth/sign-in-page.ts';
import { checkPassword, completeSignIn } from '../server/auth/sign-in.ts';
import { withCookies } from '../server/http/cookies.ts';
import { endpoint, on } from '../server/endpoint/endpoint.ts';
import { Refusal } from '../server/runtime/refusal.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { requireSameOrigin } from '../server/http/same-origin.ts';

/**
 * The query parameters that an OpenID provider may send (RFC 6749, 4.1.2; RFC 9207). The server drops all other
 * parameters.
 */
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
/** The URL fragment of the sign-in page for each refusal. The page shows a message for each fragment. */
const outcomes: Partial<Record<ErrorCode, string>> = { too_many_requests: 'locked', unavailable: 'busy' };

export default endpoint(
  { requestsAMinute: 60 },
  on('GET', apiPaths.login, {
    access: 'public',
    summary: 'Redirects to the sign-in page, or to the OpenID provider',
    query: z.partial(z.object({ returnTo: z.string(), fresh: z.string() })),
    output: null,
    status: 303,
    run: beginSignIn,
  }),
  on('GET', '/api/login/callback', {
    access: 'public',
    summary: 'Receives people from the OpenID provider',
    query: callbackQuery,
    output: null,
    status: 303,
    run: finishSignIn,
  }),
  on('POST', apiPaths.login, {
    access: 'public',
    summary: 'Signs in with a password',
    input: signInInput,
    output: signInReceipt,
    invalid: async ({ request, body, fromForm }) =>
      fromForm && wantsPage(request) ? seeOther(signInAddress(wantedPage(request, body), 'invalid')) : null,
    run: async ({ request, input, body, address, fromForm, services, record }) => {
      requireSameOrigin(request, services.env);
      const native = fromForm && wantsPage(request);
      let email: string;
      try {
        const client = await knownBrowser(input.email, request, services);
        email = await checkPassword(input, { address, client }, services);
      } catch (error) {
        if (!native || !(error instanceof Refusal)) throw error;
        const outcome = outcomes[error.code] ?? 'invalid';
        return seeOther(signInAddress(wantedPage(request, body), outcome), error.headers);
      }
      record('signed in', '', email);
      const { token, cookies } = await completeSignIn(email, request, services);
      if (native) return withCookies(seeOther(wantedPage(request, body)), cookies);
      return withCookies(json({ success: true, token, user: { email } }), cookies);
    },
  }),
);
