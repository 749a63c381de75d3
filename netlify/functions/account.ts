import { apiPaths } from '../../src/domain/api-paths.ts';
import { changedPassword, clientName, endedSessions, passwordChange, sessionList } from '../../src/domain/account.ts';
import { completeSignIn } from '../server/auth/sign-in.ts';
import { tellAdmin } from '../server/auth/account-notices.ts';
import { changePassword } from '../server/auth/change-password.ts';
import { hasEnded } from '../server/auth/sessions.ts';
import { withCookies } from '../server/http/cookies.ts';
import { endpoint, on, patternOf } from '../server/endpoint/endpoint.ts';
import { notFound } from '../server/runtime/refusal.ts';
import { json } from '../server/http/respond.ts';

export default endpoint(
  { requestsAMinute: 120 },
  on('GET', apiPaths.sessions, {
    access: 'admin',
    summary: "The admin's sessions, most recently used first",
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
  on('DELETE', apiPaths.sessions, {
    access: 'admin',
    summary: "Ends all of the admin's sessions except the current one",
    output: endedSessions,
    run: async ({ session, services: { stores }, record }) => {
      const ended = await stores.sessions.removeOthers(session.email, session.id);
      record('ended all other sessions');
      return { success: true, ended };
    },
  }),
  on('DELETE', patternOf(apiPaths.session, ':id'), {
    access: 'admin',
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
    access: 'admin',
    summary:
      "Changes the admin's password. Ends all other sessions unless asked not to, and removes the passkeys if asked to",
    input: passwordChange,
    output: changedPassword,
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
);
