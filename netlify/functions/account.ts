import type { Config } from '@netlify/functions';
import { changedPassword, clientName, endedSessions, passwordChange, sessionList } from '../../src/domain/account.ts';
import { completeSignIn } from '../server/auth/complete-sign-in.ts';
import { tellAdmin } from '../server/auth/account-notices.ts';
import { changePassword } from '../server/auth/change-password.ts';
import { hasEnded } from '../server/auth/sessions.ts';
import { withCookies } from '../server/http/cookies.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { notFound } from '../server/http/refusal.ts';
import { json } from '../server/http/respond.ts';

export default endpoint(
  on('GET', '/api/settings/sessions', {
    access: 'admin',
    summary: 'Where one is signed in, the latest used first',
    output: sessionList,
    run: async ({ session, services: { stores, now } }) => {
      const stored = await stores.sessions.listOf(session.email);
      return {
        data: stored
          .filter((one) => !hasEnded(one, now()))
          .map(({ id, createdAt, seenAt, expiresAt, userAgent }) => ({
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
  on('DELETE', '/api/settings/sessions', {
    access: 'admin',
    summary: 'Ends all of one’s sessions but this one',
    output: endedSessions,
    run: async ({ session, services: { stores }, record }) => {
      await stores.devices.removeOthers(session.email, session.device);
      const ended = await stores.sessions.removeOthers(session.email, session.id);
      record('ended all other sessions');
      return { success: true, ended };
    },
  }),
  on('DELETE', '/api/settings/sessions/:id', {
    access: 'admin',
    summary: 'Ends one of one’s sessions',
    output: endedSessions,
    run: async ({ params, session, services: { stores }, record }) => {
      const stored = await stores.sessions.get(params.id ?? '');
      if (stored?.email !== session.email) throw notFound('This session');
      await stores.sessions.remove(stored.id);
      if (stored.device !== session.device) await stores.devices.remove(stored.device, session.email);
      record('ended a session', clientName(stored.userAgent));
      return { success: true, ended: 1 };
    },
  }),
  on('POST', '/api/settings/password', {
    access: 'admin',
    summary:
      'Changes one’s password; ends all other sessions unless asked not to, and removes the passkeys if asked to',
    input: passwordChange,
    output: changedPassword,
    run: async ({ request, input, address, session, services, record }) => {
      const changed = await changePassword(session, input, address, services);
      record('changed the password');
      await tellAdmin(session.email, 'password-changed', request, services);
      const response = json({ success: true, ...changed });
      // The current password was entered, which is a sign-in: a stolen copy of the session's cookie ends here.
      if (!session.fromCookie) return response;
      const { cookies } = await completeSignIn(session.email, request, services, { notify: false });
      return withCookies(response, cookies);
    },
  }),
);

export const config: Config = {
  path: ['/api/settings/sessions', '/api/settings/sessions/:id', '/api/settings/password'],
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
