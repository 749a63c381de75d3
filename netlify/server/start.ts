import packageJson from '../../package.json' with { type: 'json' };
import { madeUpPassword, weaknessOf } from './auth/passwords.ts';
import { createFirstAdmin } from './auth/sign-in.ts';
import { claimMachine, claimVersion, releaseMachine } from './db/installation.ts';
import type { Env } from './env.ts';
import { lentPlatform } from './platform.ts';
import { Refusal } from './refusal.ts';
import { logError } from './log.ts';
import { services } from './services.ts';

/**
 * Prepares the site before the server accepts requests: updates the database schema and creates the first admin.
 * Without ADMIN_PASSWORD it generates a password, which is printed once and stored only as a hash.
 * @throws {DatabaseFault} if the database cannot be written and read.
 * @throws {Refusal} if a newer version of the site has migrated the database.
 * @returns the first admin's email address, the password if it was generated now, and warnings about environment
 * variables that do not have the effect that one would expect.
 */
export async function prepare(
  env: Env,
): Promise<{ email: string; generatedPassword: string | null; warnings: string[] }> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = env;
  const provided = await services({ deploy: deployOf(env) });
  const { admins } = provided.stores;
  await claimVersion(provided.database, packageJson.version);
  // A site that cannot store submissions must not report that it is ready.
  await provided.database.check();
  const madeUp = ADMIN_PASSWORD === undefined ? madeUpPassword() : null;
  const created = await createFirstAdmin(provided, madeUp);
  const warnings: string[] = [];
  if (ADMIN_EMAIL !== undefined && (await admins.get(ADMIN_EMAIL)) === null) {
    warnings.push(
      `ADMIN_EMAIL is ${ADMIN_EMAIL}, who is not an admin. Only the first start reads ADMIN_EMAIL. To add this admin, run: npm run admin -- create ${ADMIN_EMAIL}`,
    );
  }
  // Checked only at the first start, because later starts do not use the password, and the lists of common passwords
  // take 30 MB of memory.
  const weakness = created && ADMIN_PASSWORD !== undefined ? await weaknessOf(ADMIN_PASSWORD, ADMIN_EMAIL ?? '') : null;
  if (weakness !== null) warnings.push(`ADMIN_PASSWORD: ${weakness} Change it under Settings.`);
  return { email: (await admins.first()) ?? '', generatedPassword: created ? madeUp : null, warnings };
}

function deployOf(env: Env) {
  return { context: env.CONTEXT ?? (env.production ? 'production' : 'dev'), id: 'host', published: true };
}

const heartbeatMs = 60_000;
/** A machine that has not reported for this time counts as stopped. */
const silenceMs = 5 * 60_000;

/**
 * Records that this machine serves from the libSQL database at LIBSQL_URL, and refuses a second machine. Each machine
 * stores resumes and images in its own folder, so the second machine would lack the files of the first. Its cache would
 * also show old versions of posts that were changed on the first machine. SHARED_DATABASE allows several machines.
 * @param machine the id of this machine's data folder.
 * @returns a function that ends the record when this machine stops.
 * @throws {Refusal} if another machine serves from the database.
 */
export async function joinDatabase(env: Env, machine: string): Promise<() => Promise<void>> {
  if (lentPlatform()?.openEmbeddedDatabase) return async () => undefined;
  const { database, now } = await services({ deploy: deployOf(env) });
  const claim = () => claimMachine(database, machine, now(), new Date(now().getTime() - silenceMs));
  if (!(await claim()) && env.SHARED_DATABASE === 'off') {
    throw new Refusal(
      'unavailable',
      'Another machine uses the database in LIBSQL_URL. Each machine keeps resumes and pictures ' +
        'in its own DATA_DIR, so the files of the other machine would be missing here. Stop the other machine and wait five minutes, ' +
        'or set SHARED_DATABASE=on if both machines see the same files.',
    );
  }
  const failed = (error: unknown) => logError('machine not recorded', {}, error);
  const beat = setInterval(() => void claim().catch(failed), heartbeatMs).unref();
  return async () => {
    clearInterval(beat);
    await releaseMachine(database, machine).catch(failed);
  };
}
