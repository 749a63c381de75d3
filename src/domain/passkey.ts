import * as z from 'zod/mini';

/** Bytes as browsers send them; the longest that they make is an attestation of a few KB. */
const base64url = z.string().check(z.regex(/^[\w-]{1,20000}$/, 'This is not base64url.'));

const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(z.enum(['platform', 'cross-platform']))),
  clientExtensionResults: z.record(z.string(), z.unknown()),
};

/** `POST /api/settings/passkeys`: what `navigator.credentials.create` gave, as JSON (WebAuthn level 3). */
export const newPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.optional(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10))),
  }),
});

export type NewPasskey = z.infer<typeof newPasskey>;

/** `POST /api/login/passkey`: what `navigator.credentials.get` gave, as JSON. */
export const passkeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.optional(z.nullable(base64url)),
  }),
});

export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** What the browser is to be asked, as JSON; only the challenge is the server's own business. */
export const passkeyOptions = z.looseObject({ challenge: base64url });

export const passkeyRecord = z.object({
  id: z.string(),
  /** The browser that it was made in. */
  name: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  usedAt: z.nullable(z.string()),
});

export type PasskeyRecord = z.infer<typeof passkeyRecord>;

/** `GET /api/settings/passkeys`: one's own, the oldest first. */
export const passkeyList = z.object({ data: z.array(passkeyRecord) });

/** Passkeys belong to a name: browsers make none for a site that is opened by a number. */
export function canHavePasskeys(hostname: string): boolean {
  return !/^[\d.]+$|^\[/.test(hostname);
}
