import * as z from 'zod/mini';
import { newPassword, passkeyAnswer, passkeyOptions } from './account.ts';
import { exactText } from '../text/plain-text.ts';
import { signInInput } from './session.ts';

/** The number of recovery codes that an admin gets. Each code works once. */
export const recoveryCodeCount = 10;

const adminRecord = z.object({
  email: z.string(),
  createdAt: z.string(),
  hasPassword: z.boolean(),
  /** The number of the admin's passkeys. */
  passkeys: z.number(),
  companyAccount: z.boolean(),
  /** When the admin last signed in; ISO 8601, UTC. Null if never since the site records the time. */
  signedInAt: z.nullable(z.string()),
  /** The number of recovery codes that the admin has not used. */
  recoveryCodes: z.number(),
});

export type AdminRecord = z.infer<typeof adminRecord>;

export const invitationRecord = z.object({
  email: z.string(),
  invitedBy: z.string(),
  /** When the newest link was created and when it expires; ISO 8601, UTC. The time may be past. */
  createdAt: z.string(),
  expiresAt: z.string(),
});

export type InvitationRecord = z.infer<typeof invitationRecord>;

/** Response of `GET /api/settings/people`: all admins, oldest first, and the people who were invited. */
export const peopleList = z.object({ data: z.array(adminRecord), invitations: z.array(invitationRecord) });

/** Response of `POST /api/settings/invitations`. */
export const invitationReceipt = z.object({
  success: z.literal(true),
  expiresAt: z.string(),
  /** The path of the link, if the site could not email it; null if the mail server accepted the email. */
  setUpLink: z.nullable(z.string()),
});

/** Request body of the routes that remove an admin and withdraw an invitation. Logs contain URLs, so no URL has it. */
export const accountInput = z.pick(signInInput, { email: true });

/** Response of `POST /api/settings/recovery-codes`. The site stores only hashes, so it cannot show the codes again. */
export const newRecoveryCodes = z.object({ codes: z.array(z.string()) });

/** Request body of `POST /api/login/recovery-code`. */
export const recoveryInput = z.object({
  email: signInInput.shape.email,
  code: exactText({ min: 1, max: 100, message: 'Please enter a recovery code.' }),
});

export type RecoveryInput = z.infer<typeof recoveryInput>;

/** The secret of a set-up link, which is the fragment of its URL. */
const setUpToken = z.string().check(z.maxLength(100));

/** Request body of `POST /api/login/set-up/options`. */
export const setUpRequest = z.object({ token: setUpToken });

/** Response of `POST /api/login/set-up/options`: whose link it is, and the options for creating a passkey. */
export const setUpOffer = z.object({
  email: z.string(),
  /** True for an invitation; false for an admin who signed in with a recovery code. */
  invited: z.boolean(),
  options: passkeyOptions,
});

/** Request body of `POST /api/login/set-up`: a password or a passkey. */
export const setUpInput = z
  .object({ token: setUpToken, password: z.optional(newPassword), passkey: z.optional(passkeyAnswer) })
  .check(
    z.refine(({ password, passkey }) => (password === undefined) !== (passkey === undefined), {
      path: ['password'],
      message: 'Please choose a password or a passkey.',
    }),
  );

export type SetUpInput = z.infer<typeof setUpInput>;
