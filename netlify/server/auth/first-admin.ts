import { EnvError } from '../runtime/env.ts';
import type { Services } from '../services.ts';
import { weaknessOf } from './common-passwords.ts';

/**
 * Creates the first admin from `ADMIN_EMAIL` and `ADMIN_PASSWORD` if no admin has a password yet. A self-hosted server
 * calls this function when it starts. Netlify runs no code at start, so each sign-in calls this function too.
 * @param password used if `ADMIN_PASSWORD` is not set. If both are missing, no admin is created.
 * @returns whether this call created the admin.
 * @throws {EnvError} for a common password in production.
 */
export async function createFirstAdmin(
  { env, stores, passwords, now }: Services,
  password: string | null = null,
): Promise<boolean> {
  const chosen = env.ADMIN_PASSWORD ?? password;
  if (chosen === null || (await stores.admins.first()) !== null) return false;
  const email = env.ADMIN_EMAIL ?? 'admin@localhost';
  const weakness = env.production ? await weaknessOf(chosen, email) : null;
  if (weakness !== null) throw new EnvError(`ADMIN_PASSWORD is not safe enough for production. ${weakness}`);
  return await stores.admins.createFirst({ email, passwordHash: await passwords.hash(chosen) }, now().toISOString());
}
