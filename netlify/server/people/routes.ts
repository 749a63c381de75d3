import { apiPaths } from '../../../src/domain/api-paths.ts';
import {
  accountInput,
  invitationReceipt,
  newRecoveryCodes,
  peopleList,
  recoveryCodeCount,
  recoveryInput,
  setUpInput,
  setUpOffer,
  setUpRequest,
} from '../../../src/domain/account/people.ts';
import { personInput } from '../../../src/domain/submissions/personal-data.ts';
import { setUpLinkMinutes } from '../../../src/domain/submissions/retention.ts';
import { signInReceipt } from '../../../src/domain/account/session.ts';
import { tellAdmin } from '../auth/notices.ts';
import { beginRegistration } from '../auth/passkeys.ts';
import { signInAnswer } from '../auth/sign-in.ts';
import { on } from '../http/endpoint.ts';
import { found, notFound, Refusal } from '../refusal.ts';
import {
  createRecoveryCodes,
  createSetUpLink,
  invite,
  openSetUpLink,
  useRecoveryCode,
  useSetUpLink,
} from './set-up.ts';

const unusable = 'The link is incomplete, expired, already used, withdrawn or replaced by a newer one.';

/** How people become admins, and how an admin gets in again who lost the password and the passkeys. */
export const setUpRoutes = [
  on('POST', apiPaths.setUpOptions, {
    access: 'public',
    sameOrigin: true,
    summary: 'Returns whose set-up link this is, and the options that a browser needs to create a passkey',
    input: setUpRequest,
    output: setUpOffer,
    errors: { not_found: unusable },
    run: async ({ request, input, services }) => {
      const { email, invitedBy } = await openSetUpLink(input.token, services);
      return { email, invited: invitedBy !== '', options: await beginRegistration(email, request, services) };
    },
  }),
  on('POST', apiPaths.setUp, {
    access: 'public',
    sameOrigin: true,
    summary: 'Sets a password or a passkey with a set-up link, ends all sessions of the admin, and signs in',
    input: setUpInput,
    output: signInReceipt,
    errors: { not_found: unusable },
    run: async (call) => {
      const { request, input, services } = call;
      const { email, invitedBy } = await useSetUpLink(input, request, services);
      const event = invitedBy !== '' ? 'new-admin' : input.passkey ? 'passkey-added' : 'password-changed';
      await tellAdmin(email, event, request, services);
      const action = invitedBy ? `accepted the invitation of ${invitedBy}` : 'set a new password or passkey';
      return await signInAnswer(email, action, call, { notify: false });
    },
  }),
  on('POST', apiPaths.recoveryCodeSignIn, {
    access: 'public',
    sameOrigin: true,
    summary: 'Signs in with a recovery code, and returns a link to set a password or a passkey',
    input: recoveryInput,
    output: signInReceipt,
    errors: { unauthorized: 'The email address or recovery code is incorrect, or the code was already used.' },
    run: async (call) => {
      const { request, input, address, services } = call;
      const email = await useRecoveryCode(input, request, address, services);
      await tellAdmin(email, 'recovery-code-used', request, services);
      const { path: setUpLink } = await createSetUpLink(email, '', services);
      return await signInAnswer(email, 'signed in with a recovery code', call, { notify: false, setUpLink });
    },
  }),
];

export const peopleRoutes = [
  on('GET', apiPaths.people, {
    summary: 'All admins, oldest first, and the invitations',
    output: peopleList,
    run: async ({ services: { stores } }) => ({
      data: await stores.admins.list(),
      invitations: await stores.setUpLinks.invitations(),
    }),
  }),
  on('POST', apiPaths.invitations, {
    fresh: true,
    summary: `Invites an admin: emails a link that works for ${setUpLinkMinutes} minutes. Returns the link if it could not be emailed`,
    input: personInput,
    output: invitationReceipt,
    errors: { conflict: 'The person is already an admin, or there are too many invitations.' },
    run: async ({ input: { email }, session, services, record }) => {
      const sent = await invite(email, session.email, services);
      record('invited', email);
      return { success: true, ...sent };
    },
  }),
  on('POST', apiPaths.withdrawInvitation, {
    summary: 'Withdraws an invitation',
    input: accountInput,
    errors: { not_found: 'No one with this email address is invited.' },
    run: async ({ input: { email }, services: { stores }, record }) => {
      if (!(await stores.setUpLinks.remove(email))) throw notFound('This invitation');
      record('withdrew the invitation', email);
    },
  }),
  on('POST', apiPaths.removePerson, {
    fresh: true,
    summary:
      'Removes an admin, and deletes their sessions, passkeys, recovery codes, share links, invitations and unsaved changes',
    input: accountInput,
    errors: { not_found: 'No admin has this email address.', conflict: 'No other admin can sign in yet.' },
    run: async ({ request, input, services, record }) => {
      const { admins } = services.stores;
      const { email } = found(await admins.get(input.email), 'This admin');
      if (!(await admins.remove(email))) {
        throw new Refusal('conflict', `${email} can’t be removed, because no other admin can sign in yet.`);
      }
      record('removed the admin', email);
      await tellAdmin(email, 'admin-removed', request, services);
    },
  }),
  on('POST', apiPaths.recoveryCodes, {
    fresh: true,
    summary: `Creates ${recoveryCodeCount} recovery codes for the signed-in admin. Earlier codes stop working`,
    output: newRecoveryCodes,
    run: async ({ request, session, services, record }) => {
      const codes = await createRecoveryCodes(session.email, services);
      record('created recovery codes');
      await tellAdmin(session.email, 'recovery-codes-created', request, services);
      return { codes };
    },
  }),
];
