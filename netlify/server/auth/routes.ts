import * as z from 'zod/mini';
import {
  changedPassword,
  clientName,
  endedSessions,
  passwordChange,
  sessionList,
  passkeyAnswer,
  passkeyList,
  passkeyOptions,
  passkeyRecord,
} from '../../../src/domain/account/account.ts';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { freshSignInMinutes } from '../../../src/domain/submissions/retention.ts';
import { sessionUser, signInInput, signInReceipt } from '../../../src/domain/account/session.ts';
import { on, patternOf } from '../http/endpoint.ts';
import { withCookies } from '../http/cookies.ts';
import { json, seeOther, wantsPage } from '../http/respond.ts';
import { notFound, Refusal } from '../refusal.ts';
import { tellAdmin } from './notices.ts';
import { beginSignIn, finishSignIn } from './oidc.ts';
import { beginPasskeySignIn, beginRegistration, checkNewPasskey, checkPasskey } from './passkeys.ts';
import { endSession, hasEnded, requireSession, signInAddress, wantedPage } from './sessions.ts';
import { changePassword, checkPassword, completeSignIn, knownBrowser, signInAnswer } from './sign-in.ts';

export const signInRoutes = [
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
    summary: 'Completes a sign-in at the OpenID provider',
    query: z.partial(z.object({ code: z.string(), state: z.string(), iss: z.string(), error: z.string() })),
    output: null,
    status: 303,
    run: finishSignIn,
  }),
  on('POST', apiPaths.login, {
    access: 'public',
    sameOrigin: true,
    summary: 'Signs in with a password',
    input: signInInput,
    output: signInReceipt,
    errors: { unauthorized: 'The email address or password is incorrect.' },
    invalid: async ({ request, fromForm }) =>
      fromForm && wantsPage(request) ? seeOther(signInAddress(wantedPage(request), 'invalid')) : null,
    run: async (call) => {
      const { request, input, address, fromForm, services } = call;
      const returnTo = fromForm && wantsPage(request) ? wantedPage(request) : null;
      let email: string;
      try {
        const client = await knownBrowser(input.email, request, services);
        email = await checkPassword(input, address, client, services);
      } catch (error) {
        if (returnTo === null || !(error instanceof Refusal)) throw error;
        // The sign-in page shows a message for each fragment.
        const fragment = { too_many_requests: 'locked', unavailable: 'busy' }[error.code as string] ?? 'invalid';
        return seeOther(signInAddress(returnTo, fragment), error.headers);
      }
      return await signInAnswer(email, 'signed in', call, { returnTo });
    },
  }),
  on('POST', apiPaths.passkeySignInOptions, {
    access: 'public',
    sameOrigin: true,
    summary: 'The options that a browser needs to sign in with a passkey',
    output: passkeyOptions,
    run: async ({ request, services }) => await beginPasskeySignIn(request, services),
  }),
  on('POST', apiPaths.passkeySignIn, {
    access: 'public',
    sameOrigin: true,
    summary: 'Signs in with a passkey',
    input: passkeyAnswer,
    output: signInReceipt,
    errors: { unauthorized: 'The passkey is unknown, or its response is invalid.' },
    run: async (call) =>
      await signInAnswer(await checkPasskey(call.input, call.request, call.services), 'signed in with a passkey', call),
  }),
];

export const statusRoutes = [
  on('GET', apiPaths.authStatus, {
    access: 'public',
    summary: 'Returns the signed-in admin, or 401 without a session',
    output: sessionUser,
    errors: { unauthorized: 'The request has no valid session.' },
    run: async ({ request, services }) => {
      const { email, expiresAt } = await requireSession(request, services);
      return { user: { email }, expiresAt, openId: services.env.OIDC_ISSUER !== undefined };
    },
  }),
  on('GET', apiPaths.authFresh, {
    fresh: true,
    summary: `Returns whether the admin signed in within the last ${freshSignInMinutes} minutes`,
    run: async () => undefined,
  }),
];

export const accountRoutes = [
  on('POST', apiPaths.logout, {
    access: 'public',
    sameOrigin: true,
    summary: 'Ends the session',
    run: async ({ request, services, record }) => {
      const { email, cookie } = await endSession(request, services);
      if (email !== null) record('signed out', '', email);
      // Clears the browser's cache of admin data, but not its storage, which holds unsaved drafts that the admin may
      // want.
      const headers = { 'set-cookie': cookie, 'clear-site-data': '"cache"' };
      return json({ success: true }, { headers });
    },
  }),
  on('GET', apiPaths.sessions, {
    summary: "The admin's sessions, most recently used first",
    output: sessionList,
    run: async ({ session, services: { stores, now } }) => {
      const active = (await stores.sessions.listOf(session.email)).filter((one) => !hasEnded(one, now()));
      return {
        data: active.map(({ id, createdAt, seenAt, expiresAt, userAgent }) => ({
          id,
          client: clientName(userAgent),
          createdAt,
          seenAt,
          expiresAt,
          current: id === session.id,
        })),
      };
    },
  }),
  on('DELETE', apiPaths.sessions, {
    summary: "Ends all of the admin's sessions except the current one",
    output: endedSessions,
    run: async ({ session, services: { stores }, record }) => {
      const ended = await stores.sessions.removeOthers(session.email, session.id);
      record('ended all other sessions');
      return { success: true, ended };
    },
  }),
  on('DELETE', patternOf(apiPaths.session, ':id'), {
    summary: "Ends one of the admin's sessions",
    output: endedSessions,
    run: async ({ params, session, services: { stores }, record }) => {
      const stored = await stores.sessions.get(params.id ?? '');
      if (stored?.email !== session.email) throw notFound('This session');
      await stores.sessions.remove(stored.id);
      record('ended the session', clientName(stored.userAgent));
      return { success: true, ended: 1 };
    },
  }),
  on('POST', apiPaths.password, {
    summary:
      "Changes the admin's password. Ends all other sessions unless asked not to, and removes the passkeys if asked to",
    input: passwordChange,
    output: changedPassword,
    errors: { conflict: 'The account has no password.' },
    run: async ({ request, input, address, session, services, record }) => {
      const changed = await changePassword(session, input, address, services);
      record('changed the password');
      await tellAdmin(session.email, 'password-changed', request, services);
      const response = json({ success: true, ...changed });
      // Entering the current password counts as a sign-in, so a browser gets a new session. Its old session ends, which
      // makes a stolen copy of the old cookie useless.
      if (!session.fromCookie) return response;
      const { cookies } = await completeSignIn(session.email, request, services, { notify: false });
      return withCookies(response, cookies);
    },
  }),
  on('GET', apiPaths.passkeys, {
    summary: "The admin's passkeys, oldest first",
    output: passkeyList,
    run: async ({ session, services: { stores } }) => ({ data: await stores.passkeys.listOf(session.email) }),
  }),
  on('POST', apiPaths.passkeyOptions, {
    fresh: true,
    summary: 'The options that a browser needs to create a passkey',
    output: passkeyOptions,
    run: async ({ request, session, services }) => await beginRegistration(session.email, request, services),
  }),
  on('POST', apiPaths.passkeys, {
    fresh: true,
    summary: 'Adds a passkey that the browser created',
    input: passkeyAnswer,
    output: passkeyRecord,
    status: 201,
    run: async ({ request, input, session, services, record }) => {
      const passkey = await checkNewPasskey(session.email, input, request, services);
      await services.stores.passkeys.create(passkey);
      record('added the passkey', passkey.name);
      await tellAdmin(session.email, 'passkey-added', request, services);
      const { id, name, createdAt } = passkey;
      return { id, name, createdAt, usedAt: null };
    },
  }),
  on('DELETE', patternOf(apiPaths.passkey, ':id'), {
    fresh: true,
    summary: "Removes one of the admin's passkeys",
    errors: { conflict: 'No one could sign in without this passkey.' },
    run: async ({ request, params, session, services, record }) => {
      const { env, stores } = services;
      const passkey = await stores.passkeys.get(params.id ?? '');
      if (passkey?.email !== session.email) throw notFound('This passkey');
      if (!(await stores.passkeys.remove(passkey.id, env.OIDC_ISSUER !== undefined))) {
        throw new Refusal(
          'conflict',
          'This passkey was not removed, because no one could sign in without it. First add another passkey, or sign in with a recovery code and set a password.',
        );
      }
      record('removed a passkey');
      await tellAdmin(session.email, 'passkey-removed', request, services);
    },
  }),
];
