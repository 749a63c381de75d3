import { createFirstAdmin } from './auth/first-admin.ts';
import { weaknessOf } from './auth/common-passwords.ts';
import { madeUpPassword } from './auth/passwords.ts';
import { deliverAll } from './deliver.ts';
import type { Env } from './env.ts';
import { lentPlatform } from './platform.ts';
import { type Services, services } from './services.ts';

/**
 * What the host does once before it serves: brings the schema up to date and makes the first admin, where the environment
 * names none with a password that is made up, to be printed once and never stored in clear.
 * @throws {DatabaseFault} where the database cannot be written and read.
 * @returns the first admin's address, the password where this start made one up, and sentences for the person who starts
 *   the site about variables that do not do what they seem to.
 */
export async function prepare(
  env: Env,
): Promise<{ email: string; generatedPassword: string | null; warnings: string[] }> {
  const deploy = { context: env.production ? 'production' : 'dev', id: 'host', published: true };
  const provided = await services({ deploy });
  // A site that cannot store what visitors send must not say that it is ready.
  await provided.database.check();
  // A file is this machine's alone: whatever an earlier process had in hand is free, and need not wait for its lease to end.
  if (lentPlatform()?.openEmbeddedDatabase) {
    await provided.stores.outbox.releaseLeases();
    void deliverAll(provided);
  }
  const madeUp = env.ADMIN_PASSWORD === undefined ? madeUpPassword() : null;
  const created = await createFirstAdmin(provided, madeUp);
  return {
    email: (await provided.stores.admins.first()) ?? '',
    generatedPassword: created ? madeUp : null,
    warnings: await warningsOf(env, provided),
  };
}

async function warningsOf({ ADMIN_EMAIL, ADMIN_PASSWORD }: Env, { stores }: Services): Promise<string[]> {
  const warnings: string[] = [];
  if (ADMIN_EMAIL !== undefined && (await stores.admins.get(ADMIN_EMAIL)) === null) {
    warnings.push(
      `ADMIN_EMAIL is ${ADMIN_EMAIL}, who is not an admin: only the first start reads it. To add this admin: npm run admin -- create ${ADMIN_EMAIL}`,
    );
  }
  const weakness = ADMIN_PASSWORD === undefined ? null : await weaknessOf(ADMIN_PASSWORD, ADMIN_EMAIL ?? '');
  if (weakness !== null) {
    warnings.push(`ADMIN_PASSWORD: ${weakness} If it is still in use, change it under Settings.`);
  }
  return warnings;
}
