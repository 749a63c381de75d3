import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@libsql/client/web';
import { weaknessOf } from '../../netlify/server/auth/common-passwords.ts';
import { checkSiteDetails, unconfirmedPromises } from '../../netlify/server/publishing/site-details.ts';
import { type Env, EnvError } from '../../netlify/server/runtime/env.ts';
import { placeholderFields, site } from '../../src/site.config.ts';
import { type Finding, checkMail, checkPort, checkWebhook, listenWarning, ownerWarning, reasonOf } from '../checks.ts';
import { ownEnvironment } from '../environment.ts';
import { failStart } from '../errors.ts';

const megabyte = 1024 * 1024;
const patienceMs = 8_000;

/** Runs `npm run doctor`: checks everything that the site needs on this machine, changes nothing, and prints advice. */
async function main(): Promise<void> {
  const count = { ok: 0, warning: 0, wrong: 0 };
  const report = ([verdict, words]: Finding): void => {
    count[verdict] += 1;
    console.log(`${verdict.padEnd(8)}${words}`);
  };
  report(['ok', `Node.js ${process.versions.node}.`]);
  report(checkDetails());
  const env = checkEnvironment(report);
  if (env) {
    const quick = [checkMadeUp(env), checkPromises(env)];
    const slow = [checkListening, checkFolder, checkSpace, checkDatabase, checkAddress];
    for (const finding of [...quick, ...(await Promise.all(slow.map((check) => check(env))))]) report(finding);
    for (const check of [checkPassword, checkMail, checkWebhook]) (await check(env)).forEach(report);
  }
  const number = (n: number, noun: string) => `${n === 0 ? 'No' : n} ${noun}${n === 1 ? '' : 's'}`;
  console.log(`\n${number(count.wrong, 'problem')} and ${number(count.warning, 'warning').toLowerCase()} found.`);
  process.exitCode = count.wrong === 0 ? 0 : 1;
}

function checkDetails(): Finding {
  try {
    checkSiteDetails();
    return ['ok', "The firm's details are complete."];
  } catch (error) {
    return ['wrong', (error as Error).message];
  }
}

function checkEnvironment(report: (finding: Finding) => void): Env | null {
  try {
    const env = ownEnvironment();
    report(['ok', env.production ? 'The environment is complete, for production.' : 'The environment is complete.']);
    return env;
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    report(['wrong', `${error.message}\n        The other checks need a complete environment.`]);
    return null;
  }
}

function checkMadeUp({ production }: Env): Finding {
  const madeUp = placeholderFields(site);
  if (madeUp.length === 0) return ['ok', "None of the firm's details are placeholders."];
  const words = `These details of the firm are still placeholders: ${madeUp.join(', ')}. Enter your own in site.json.`;
  return [production ? 'warning' : 'ok', words];
}

function checkPromises({ production }: Env): Finding {
  const unconfirmed = unconfirmedPromises();
  if (unconfirmed.length === 0) return ['ok', 'You confirmed every promise on the pages.'];
  const words = `The pages make promises that you have not confirmed: ${unconfirmed.join(', ')}. See docs/promises.md.`;
  return [production ? 'warning' : 'ok', words];
}

async function checkListening(env: Env): Promise<Finding> {
  const warning = listenWarning(env);
  if (warning !== null) return ['warning', warning];
  const where = `${env.HOST}, port ${env.PORT}`;
  try {
    await checkPort(env);
    return ['ok', `The site can listen on ${where}.`];
  } catch (error) {
    // The port may be in use by this site.
    const status = await healthAt(`http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${env.PORT}`).catch(
      () => undefined,
    );
    if (status !== undefined) return ['ok', `The site runs on ${where}.`];
    return [
      'wrong',
      `The site cannot listen on ${where}: ${reasonOf(error)}. Stop the program that uses the port, or set PORT.`,
    ];
  }
}

async function checkFolder(env: Env): Promise<Finding> {
  const folder = resolve(env.DATA_DIR);
  const found = await stat(folder).catch(() => null);
  if (!found) return ['ok', `${folder} does not exist yet. The first start creates it.`];
  if (!found.isDirectory()) return ['wrong', `${folder} is not a folder. Set DATA_DIR to another path.`];
  const foreign = await ownerWarning(env);
  if (foreign !== null) return ['wrong', foreign];
  for (const path of [folder, join(folder, 'site.db'), join(folder, 'blobs')]) {
    const problem = await access(path, constants.R_OK | constants.W_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (problem && problem !== 'ENOENT') {
      const words = `${path} is not writable (${problem}). Make the account that runs the site its owner: chown -R.`;
      return ['wrong', words];
    }
  }
  if (found.mode & 0o077) return ['warning', `Other accounts can read ${folder}. Run: chmod 700 ${folder}`];
  return ['ok', `${folder} is writable, and only for this account.`];
}

async function checkSpace({ DATA_DIR }: Env): Promise<Finding> {
  let folder = resolve(DATA_DIR);
  while (!(await stat(folder).catch(() => null)) && folder !== dirname(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / megabyte);
  const words = `${free.toLocaleString('en-US')} MB of disk space is free for ${resolve(DATA_DIR)}.`;
  if (free < 200) return ['wrong', `${words} The site needs at least 200 MB. Free some space.`];
  return free < 2_000 ? ['warning', `${words} Plan for more, because uploads and backups need space.`] : ['ok', words];
}

/** Returns the path or the `file:` URL of the database, or null if it is on a server. */
function databaseFile({ DATA_DIR, LIBSQL_URL }: Env): string | null {
  if (LIBSQL_URL === undefined) return join(resolve(DATA_DIR), 'site.db');
  return LIBSQL_URL.startsWith('file:') ? LIBSQL_URL : null;
}

/** Returns whether the first start will create the database in DATA_DIR. */
const isNew = async ({ DATA_DIR, LIBSQL_URL }: Env) =>
  LIBSQL_URL === undefined && !(await stat(join(DATA_DIR, 'site.db')).catch(() => null));

async function checkDatabase(env: Env): Promise<Finding> {
  if (await isNew(env)) return ['ok', 'There is no database yet. The first start creates it.'];
  const file = databaseFile(env);
  const where = file ?? new URL(env.LIBSQL_URL ?? '').host;
  try {
    if (file === null) await askServer(env);
    else checkFile(file);
    return ['ok', `The database in ${where} answers and is not damaged.`];
  } catch (error) {
    const advice =
      file === null
        ? 'Check LIBSQL_URL and LIBSQL_AUTH_TOKEN.'
        : 'Restore a backup (docs/operate.md) if it is damaged.';
    return ['wrong', `The database in ${where} does not work: ${reasonOf(error)}. ${advice}`];
  }
}

/** @throws if the file is damaged. */
function checkFile(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const { quick_check: answer } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
    if (answer !== 'ok') throw new Error(typeof answer === 'string' ? answer : 'no response');
  } finally {
    database.close();
  }
}

async function askServer({ LIBSQL_URL = '', LIBSQL_AUTH_TOKEN }: Env): Promise<void> {
  const client = createClient({ url: LIBSQL_URL, ...(LIBSQL_AUTH_TOKEN && { authToken: LIBSQL_AUTH_TOKEN }) });
  await Promise.race([client.execute('SELECT 1'), late()]).finally(() => client.close());
}

/** Rejects after a time in which a database server should have answered. */
async function late(): Promise<never> {
  await setTimeout(patienceMs, undefined, { ref: false });
  throw new Error(`no response within ${patienceMs / 1_000} s`);
}

/** Only the first start uses ADMIN_PASSWORD, and in production it refuses a common one. */
async function checkPassword(env: Env): Promise<Finding[]> {
  const { ADMIN_PASSWORD, ADMIN_EMAIL = '', production } = env;
  if (ADMIN_PASSWORD === undefined || !(await isNew(env))) return [];
  const weakness = await weaknessOf(ADMIN_PASSWORD, ADMIN_EMAIL);
  if (weakness === null) return [['ok', 'ADMIN_PASSWORD is hard to guess.']];
  return [[production ? 'wrong' : 'warning', `ADMIN_PASSWORD is not safe enough for production. ${weakness}`]];
}

async function checkAddress({ SITE_URL }: Env): Promise<Finding> {
  if (SITE_URL === undefined)
    return ['warning', 'SITE_URL is not set, so links in emails lead to a placeholder address.'];
  try {
    const status = await healthAt(SITE_URL);
    return [
      status === 'ok' ? 'ok' : 'warning',
      `${SITE_URL}/api/health answers: ${status ?? 'not as this site does'}.`,
    ];
  } catch (error) {
    const advice = 'Start the site, then check the proxy and DNS.';
    return ['warning', `${SITE_URL}/api/health does not respond: ${reasonOf(error)}. ${advice}`];
  }
}

/** Asks a site how it is. @returns undefined if the answer is not a health report. */
async function healthAt(origin: string): Promise<string | undefined> {
  const answer = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
  const { status } = (await answer.json().catch(() => ({}))) as { status?: unknown };
  return typeof status === 'string' ? status : undefined;
}

await main().catch(failStart);
