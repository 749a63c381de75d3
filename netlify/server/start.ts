import { createFirstAdmin } from './auth/first-admin.ts';
import { weaknessOf } from './auth/common-passwords.ts';
import { madeUpPassword } from './auth/passwords.ts';
import { deliverAll } from './deliver.ts';
import type { Env } from './env.ts';
import { lentPlatform } from './platform.ts';
import { Refusal } from './http/refusal.ts';
import { logError } from './log.ts';
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
  const provided = await services({ deploy: deployOf(env) });
  // A site that cannot store what visitors send must not say that it is ready.
  await provided.database.check();
  // Only this machine uses the file, so the leases of an earlier process are void.
  if (lentPlatform()?.openEmbeddedDatabase) {
    await provided.stores.outbox.releaseLeases();
    void deliverAll(provided);
  }
  const madeUp = env.ADMIN_PASSWORD === undefined ? madeUpPassword() : null;
  const created = await createFirstAdmin(provided, madeUp);
  return {
    email: (await provided.stores.admins.first()) ?? '',
    generatedPassword: created ? madeUp : null,
    warnings: await warningsOf(env, created, provided),
  };
}

async function warningsOf(
  { ADMIN_EMAIL, ADMIN_PASSWORD }: Env,
  isFirstStart: boolean,
  { stores }: Services,
): Promise<string[]> {
  const warnings: string[] = [];
  if (ADMIN_EMAIL !== undefined && (await stores.admins.get(ADMIN_EMAIL)) === null) {
    warnings.push(
      `ADMIN_EMAIL is ${ADMIN_EMAIL}, who is not an admin: only the first start reads it. To add this admin: npm run admin -- create ${ADMIN_EMAIL}`,
    );
  }
  // Later starts do not read the password, and the lists of common passwords take 30 MB.
  const weakness =
    isFirstStart && ADMIN_PASSWORD !== undefined ? await weaknessOf(ADMIN_PASSWORD, ADMIN_EMAIL ?? '') : null;
  if (weakness !== null) {
    warnings.push(`ADMIN_PASSWORD: ${weakness} Change it under Settings.`);
  }
  return warnings;
}

function deployOf(env: Env) {
  return { context: env.CONTEXT ?? (env.production ? 'production' : 'dev'), id: 'host', published: true };
}

const heartbeatMs = 60_000;
/** A machine that was not heard of for so long has gone. */
const silenceMs = 5 * 60_000;

/**
 * Says that this machine serves from a database server. Resumes and pictures are in this machine's own folder, so a second
 * machine on the same database would miss them, and would show posts that were changed on the first.
 * @param machine the id of this machine's data folder.
 * @returns what takes this machine off the list when it stops.
 * @throws {Refusal} where another machine serves from the database, unless SHARED_DATABASE allows it.
 */
export async function joinDatabase(env: Env, machine: string): Promise<() => Promise<void>> {
  if (lentPlatform()?.openEmbeddedDatabase) return async () => undefined;
  const { stores, now } = await services({ deploy: deployOf(env) });
  const since = new Date(now().getTime() - silenceMs).toISOString();
  const seenAt = await stores.machines.anotherSince(machine, since);
  if (seenAt !== null && env.SHARED_DATABASE === 'off') {
    throw new Refusal(
      'unavailable',
      `Another machine serves from the database of LIBSQL_URL (last seen ${seenAt}). Each machine keeps resumes and pictures ` +
        'in its own DATA_DIR, so the other machine’s files would be missing here. Stop the other machine and wait five minutes, ' +
        'or set SHARED_DATABASE=on if both see the same files.',
    );
  }
  const note = () => stores.machines.seen(machine, now().toISOString());
  await note();
  const beat = setInterval(
    () => void note().catch((error: unknown) => logError('this machine could not be noted', {}, error)),
    heartbeatMs,
  ).unref();
  return async () => {
    clearInterval(beat);
    await stores.machines.left(machine).catch((error: unknown) => logError('this machine stays noted', {}, error));
  };
}
