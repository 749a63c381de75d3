import type { Services } from '../services.ts';
import { hashPassword } from './passwords.ts';

/**
 * Creates the first admin from `ADMIN_EMAIL` and `ADMIN_PASSWORD`, unless there is an admin already. On Netlify nothing
 * runs before the first request, so signing in asks for it too.
 * @param password stands in for `ADMIN_PASSWORD` where that is not set; with neither nobody is created.
 * @returns whether this call created the admin.
 */
export async function createFirstAdmin(
  { env, stores, now }: Services,
  password: string | null = null,
): Promise<boolean> {
  const chosen = env.ADMIN_PASSWORD ?? password;
  if (chosen === null || (await stores.admins.first()) !== null) return false;
  const email = env.ADMIN_EMAIL ?? 'admin@localhost';
  return await stores.admins.createFirst({ email, passwordHash: await hashPassword(chosen) }, now().toISOString());
}
