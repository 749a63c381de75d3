import { createFirstAdmin } from './auth/first-admin.ts';
import { madeUpPassword } from './auth/passwords.ts';
import type { Env } from './env.ts';
import { services } from './services.ts';

/**
 * What the host does once before it serves: brings the schema up to date and makes the first admin, where the environment
 * names none with a password that is made up, to be printed once and never stored in clear.
 * @throws {DatabaseFault} where the database cannot be written and read.
 * @returns the first admin's address, and the password where this start made one up.
 */
export async function prepare(env: Env): Promise<{ email: string; generatedPassword: string | null }> {
  const deploy = { context: env.production ? 'production' : 'dev', id: 'host', published: true };
  const provided = await services({ deploy });
  // A site that cannot store what visitors send must not say that it is ready.
  await provided.database.check();
  const madeUp = env.ADMIN_PASSWORD === undefined ? madeUpPassword() : null;
  const created = await createFirstAdmin(provided, madeUp);
  return { email: (await provided.stores.admins.first()) ?? '', generatedPassword: created ? madeUp : null };
}
