import { apiPaths } from '../../src/domain/api-paths.ts';
import { newPasskey, passkeyAnswer, passkeyList, passkeyOptions, passkeyRecord } from '../../src/domain/passkey.ts';
import { doneReceipt, signInReceipt } from '../../src/domain/session.ts';
import { tellAdmin } from '../server/auth/account-notices.ts';
import { completeSignIn } from '../server/auth/sign-in.ts';
import { beginPasskeySignIn, beginRegistration, checkPasskey, register } from '../server/auth/passkeys.ts';
import { withCookies } from '../server/http/cookies.ts';
import { endpoint, on, patternOf } from '../server/endpoint/endpoint.ts';
import { notFound } from '../server/runtime/refusal.ts';
import { json } from '../server/http/respond.ts';
import { requireSameOrigin } from '../server/http/same-origin.ts';

export default endpoint(
  { requestsAMinute: 60 },
  on('POST', apiPaths.passkeySignInOptions, {
    access: 'public',
    summary: 'The options that a browser needs to sign in with a passkey',
    output: passkeyOptions,
    run: async ({ request, services }) => {
      requireSameOrigin(request, services.env);
      return await beginPasskeySignIn(request, services);
    },
  }),
  on('POST', apiPaths.passkeySignIn, {
    access: 'public',
    summary: 'Signs in with a passkey',
    input: passkeyAnswer,
    output: signInReceipt,
    run: async ({ request, input, services, record }) => {
      requireSameOrigin(request, services.env);
      const email = await checkPasskey(input, request, services);
      record('signed in', 'with a passkey', email);
      const { token, cookies } = await completeSignIn(email, request, services);
      return withCookies(json({ success: true, token, user: { email } }), cookies);
    },
  }),
  on('GET', apiPaths.passkeys, {
    access: 'admin',
    summary: 'One’s passkeys',
    output: passkeyList,
    run: async ({ session, services: { stores } }) => ({
      data: (await stores.passkeys.listOf(session.email)).map(({ id, name, createdAt, usedAt }) => ({
        id,
        name,
        createdAt,
        usedAt,
      })),
    }),
  }),
  on('POST', apiPaths.passkeyOptions, {
    access: 'admin',
    fresh: true,
    summary: 'The options that a browser needs to create a passkey',
    output: passkeyOptions,
    run: async ({ request, session, services }) => await beginRegistration(session.email, request, services),
  }),
  on('POST', apiPaths.passkeys, {
    access: 'admin',
    fresh: true,
    summary: 'Adds a passkey that the browser created',
    input: newPasskey,
    output: passkeyRecord,
    status: 201,
    run: async ({ request, input, session, services, record }) => {
      const passkey = await register(session.email, input, request, services);
      record('added the passkey', passkey.name);
      await tellAdmin(session.email, 'passkey-added', request, services);
      return json(passkey, { status: 201 });
    },
  }),
  on('DELETE', patternOf(apiPaths.passkey, ':id'), {
    access: 'admin',
    fresh: true,
    summary: "Removes one of the admin's passkeys",
    output: doneReceipt,
    run: async ({ request, params, session, services, record }) => {
      const { passkeys } = services.stores;
      if (!(await passkeys.remove(params.id ?? '', session.email))) throw notFound('This passkey');
      record('removed a passkey');
      await tellAdmin(session.email, 'passkey-removed', request, services);
      return { success: true };
    },
  }),
);
