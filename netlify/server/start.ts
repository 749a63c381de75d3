import { createFirstAdmin } from './auth/first-admin.ts';
import { madeUpPassword } from './auth/passwords.ts';
import { deliverAll } from './deliver.ts';
import type { Env } from './env.ts';
import { lentPlatform } from './platform.ts';
import { services } from './services.ts';

/**
 * What the host does once before it serves: brings the schema up to date and makes the first admin, where the environment
 * names none with a password that is made up, to be printed once and never stored in clear.
 * @returns the first admin's address, and the password where this start made one up.
 */
export async function prepare(env: Env): Promise<{ email: string; generatedPassword: string | null }> {
  const deploy = { context: env.CONTEXT ?? (env.production ? 'production' : 'dev'), id: 'host', published: true };
  const provided = await services({ deploy });
  // A file is this machine's alone: whatever an earlier process had in hand is free, and need not wait for its lease to end.
  if (lentPlatform()?.openEmbeddedDatabase) {
    await provided.stores.outbox.releaseLeases();
    void deliverAll(provided);
  }
  const madeUp = env.ADMIN_PASSWORD === undefined ? madeUpPassword() : null;
  const created = await createFirstAdmin(provided, madeUp);
  return { email: (await provided.stores.admins.first()) ?? '', generatedPassword: created ? madeUp : null };
}
