import type { Config } from '@netlify/functions';
import { newPasskey, passkeyAnswer, passkeyList, passkeyOptions, passkeyRecord } from '../../src/domain/passkey.ts';
import { doneReceipt, signInReceipt } from '../../src/domain/session.ts';
import { tellAdmin } from '../server/auth/account-notices.ts';
import { completeSignIn } from '../server/auth/complete-sign-in.ts';
import { beginPasskeySignIn, beginRegistration, checkPasskey, register } from '../server/auth/passkeys.ts';
import { withCookies } from '../server/http/cookies.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { notFound } from '../server/http/refusal.ts';
import { json } from '../server/http/respond.ts';
import { requireSameOrigin } from '../server/http/same-origin.ts';

export default endpoint(
  on('POST', '/api/login/passkey/options', {
    access: 'public',
    summary: 'What the browser is to be asked for signing in with a passkey',
    output: passkeyOptions,
    run: async ({ request, services }) => {
      requireSameOrigin(request);
      return await beginPasskeySignIn(request, services);
    },
  }),
  on('POST', '/api/login/passkey', {
    access: 'public',
    summary: 'Signs in with a passkey’s answer',
    input: passkeyAnswer,
    output: signInReceipt,
    run: async ({ request, input, services, record }) => {
      requireSameOrigin(request);
      const email = await checkPasskey(input, request, services);
      record('signed in', 'with a passkey', email);
      const { token, cookies } = await completeSignIn(email, request, services);
      return withCookies(json({ success: true, token, user: { email } }), cookies);
    },
  }),
  on('GET', '/api/settings/passkeys', {
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
  on('POST', '/api/settings/passkeys/options', {
    access: 'admin',
    fresh: true,
    summary: 'What the browser is to be asked for making a passkey',
    output: passkeyOptions,
    run: async ({ request, session, services }) => await beginRegistration(session.email, request, services),
  }),
  on('POST', '/api/settings/passkeys', {
    access: 'admin',
    fresh: true,
    summary: 'Adds the passkey that the browser made',
    input: newPasskey,
    output: passkeyRecord,
    status: 201,
    run: async ({ request, input, session, services, record }) => {
      const passkey = await register(session.email, input, request, services);
      record('added a passkey', passkey.name);
      await tellAdmin(session.email, 'passkey-added', request, services);
      return json(passkey, { status: 201 });
    },
  }),
  on('DELETE', '/api/settings/passkeys/:id', {
    access: 'admin',
    fresh: true,
    summary: 'Removes one of one’s passkeys',
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

export const config: Config = {
  path: [
    '/api/login/passkey/options',
    '/api/login/passkey',
    '/api/settings/passkeys',
    '/api/settings/passkeys/options',
    '/api/settings/passkeys/:id',
  ],
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
