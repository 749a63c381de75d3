import * as z from 'zod/mini';

/** Bytes in base64url, as browsers send them. The longest value is an attestation of a few KB. */
const base64url = z.string().check(z.regex(/^[\w-]{1,20000}$/, 'This is not base64url.'));

const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(z.enum(['platform', 'cross-platform']))),
  clientExtensionResults: z.record(z.string(), z.unknown()),
};

/**
 * Request body of `POST /api/settings/passkeys`: the JSON result of `navigator.credentials.create` (WebAuthn Level 3).
 */
export const newPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.optional(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10))),
  }),
});

export type NewPasskey = z.infer<typeof newPasskey>;

/** Request body of `POST /api/login/passkey`: the JSON result of `navigator.credentials.get` (WebAuthn Level 3). */
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

/** JSON options for `navigator.credentials.create` and `get`. The schema checks only the challenge. */
export const passkeyOptions = z.looseObject({ challenge: base64url });

export const passkeyRecord = z.object({
  id: z.string(),
  /** The browser that created the passkey, such as `Firefox on Windows`. */
  name: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  usedAt: z.nullable(z.string()),
});

export type PasskeyRecord = z.infer<typeof passkeyRecord>;

/** Response of `GET /api/settings/passkeys`: the signed-in admin's passkeys, oldest first. */
export const passkeyList = z.object({ data: z.array(passkeyRecord) });

/** Returns false for an IP address, because browsers create passkeys only for domain names. */
export function canHavePasskeys(hostname: string): boolean {
  return !/^[\d.]+$|^\[/.test(hostname);
}
