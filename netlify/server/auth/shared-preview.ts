import * as z from 'zod/mini';
import { seal, unseal } from './sealed.ts';
import type { SessionServices } from './sessions.ts';

/** How long whoever has the link can read the draft. */
const lifetimeMs = 7 * 24 * 60 * 60 * 1000;
const purpose = 'shared preview';

const claims = z.object({
  /** Whose draft it is, and which. */
  email: z.string(),
  key: z.string(),
  /** Seconds since 1970. */
  exp: z.number(),
});

type PreviewServices = Pick<SessionServices, 'env' | 'now'>;

/** A token that shows one draft to whoever has it. It changes with every call, and cannot be taken back before its time. */
export function sharePreview(draft: { email: string; key: string }, services: PreviewServices): Promise<string> {
  return seal(draft, purpose, lifetimeMs, services);
}

/** Whose draft a token shows, and until when; null where it is not good for this draft, or no longer. */
export async function sharedPreview(
  token: string,
  key: string,
  services: PreviewServices,
): Promise<{ email: string; until: Date } | null> {
  const shared = await unseal(token, purpose, claims, services);
  return shared?.key === key ? { email: shared.email, until: new Date(shared.exp * 1000) } : null;
}
