import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { createClient } from '@libsql/client';
import { type Env, EnvError } from '../netlify/server/runtime/env.ts';
import { mailer } from '../netlify/server/mail/mailer.ts';
import { checkSiteDetails, SiteDetailsError, unconfirmedPromises } from '../netlify/server/publishing/site-details.ts';
import { placeholderFields, site } from '../src/site.config.ts';
import { listenWarning } from './announce.ts';
import { ownEnvironment } from './environment.ts';

type Verdict = 'ok' | 'warning' | 'wrong';
type Finding = readonly [verdict: Verdict, words: string];

const megabyte = 1024 * 1024;
const patienceMs = 8_000;

/** Runs `npm run doctor`: checks everything that the site needs on this machine, changes nothing, and prints advice. */
async function main(): Promise<void> {
  let wrong = 0;
  const report = ([verdict, words]: Finding): void => {
    if (verdict === 'wrong') wrong += 1;
    console.log(`${verdict.padEnd(8)}${words}`);
  };
  report(checkNode());
  report(checkDetails());
  const env = checkEnvironment(report);
  if (env) {
    for (const check of [
      checkListening,
      checkMadeUp,
      checkPromises,
      checkFolder,
      checkSpace,
      checkDatabase,
      checkMail,
      checkAddress,
    ]) {
      report(await check(env));
    }
  }
  console.log(wrong === 0 ? '\nNo problems found.' : `\n${wrong === 1 ? '1 problem' : `${wrong} problems`} found.`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

function checkNode(): Finding {
  const { node } = process.versions;
  return Number(node.split('.')[0]) >= 24
    ? ['ok', `Node.js ${node}.`]
    : ['wrong', `Node.js ${node} is too old for the site. Run npm install to install Node.js 24.`];
}

function checkDetails(): Finding {
  try {
    checkSiteDetails();
    return ['ok', "The firm's details are complete."];
  } catch (error) {
    if (error instanceof SiteDetailsError) return ['wrong', error.message];
    throw error;
  }
}

function checkEnvironment(report: (finding: Finding) => void): Env | null {
  try {
    const env = ownEnvironment();
    report(['ok', env.production ? 'The environment is complete, for production.' : 'The environment is complete.']);
    return env;
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    report(['wrong', error.message]);
    return null;
  }
}

async function checkListening(env: Env): Promise<Finding> {
  const warning = listenWarning(env);
  return warning === null
    ? ['ok', `The site listens on ${env.HOST}, port ${env.PORT}.`]
    : ['warning', warning.replace('Warning: ', '')];
}

async function checkMadeUp({ production }: Env): Promise<Finding> {
  const madeUp = placeholderFields(site);
  if (madeUp.length === 0) return ['ok', "None of the firm's details are placeholders."];
  const words = `These details of the firm are still placeholders: ${madeUp.join(', ')}. Enter your own in site.json.`;
  return [production ? 'warning' : 'ok', words];
}

async function checkPromises({ production }: Env): Promise<Finding> {
  const unconfirmed = unconfirmedPromises();
  if (unconfirmed.length === 0) return ['ok', 'You confirmed every promise on the pages.'];
  const words = `The pages make promises that you have not confirmed: ${unconfirmed.join(', ')}. See docs/promises.md.`;
  return [production ? 'warning' : 'ok', words];
}

async function checkFolder({ DATA_DIR }: Env): Promise<Finding> {
  const folder = resolve(DATA_DIR);
  const found = await stat(folder).catch(() => null);
  if (!found) return ['ok', `${folder} does not exist yet. The first start creates it.`];
  if (!found.isDirectory()) return ['wrong', `${folder} is not a folder. Set DATA_DIR to another path.`];
  for (const path of [folder, join(folder, 'site.db'), join(folder, 'blobs')]) {
    const problem = await access(path, constants.R_OK | constants.W_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (problem && problem !== 'ENOENT') {
      return [
        'wrong',
        `${path} is not writable (${problem}). Make the account that runs the site its owner: chown -R.`,
      ];
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

async function checkDatabase({ DATA_DIR, LIBSQL_URL, LIBSQL_AUTH_TOKEN }: Env): Promise<Finding> {
  const file = join(resolve(DATA_DIR), 'site.db');
  const where = LIBSQL_URL === undefined ? file : new URL(LIBSQL_URL).host;
  if (LIBSQL_URL === undefined && !(await stat(file).catch(() => null))) {
    return ['ok', 'There is no database yet. The first start creates it.'];
  }
  const client = createClient({
    url: LIBSQL_URL ?? pathToFileURL(file).href,
    ...(LIBSQL_AUTH_TOKEN && { authToken: LIBSQL_AUTH_TOKEN }),
    timeout: patienceMs,
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(patienceMs) }),
  });
  try {
    const { rows } = await client.execute('PRAGMA quick_check(1)').catch(async (error: unknown) => {
      // A database server may reject the pragma. A result of any query shows that the database is reachable.
      if (LIBSQL_URL === undefined) throw error;
      return await client.execute(`SELECT 'ok' AS quick_check`);
    });
    const answer = rows[0]?.['quick_check'];
    if (answer === 'ok') return ['ok', `The database in ${where} answers and is not damaged.`];
    return [
      'wrong',
      `The database in ${where} is damaged: ${typeof answer === 'string' ? answer : 'no response'}. Restore a backup (docs/operate.md).`,
    ];
  } catch (error) {
    const advice =
      LIBSQL_URL === undefined
        ? 'Restore a backup (docs/operate.md) if it is damaged.'
        : 'Check LIBSQL_URL and LIBSQL_AUTH_TOKEN.';
    return ['wrong', `The database in ${where} does not respond: ${reasonOf(error)}. ${advice}`];
  } finally {
    client.close();
  }
}

async function checkMail(env: Env): Promise<Finding> {
  if (!env.SMTP_URL) {
    return [
      'warning',
      'SMTP_URL is not set, so no email is sent. Inquiries are stored, and you can read them in the admin area.',
    ];
  }
  const { host } = new URL(env.SMTP_URL);
  const sender = mailer(env);
  try {
    await sender.verify();
    return ['ok', `The mail server ${host} accepts the sign-in. Send a test email under Settings > Site status.`];
  } catch (error) {
    return ['wrong', `The mail server ${host} did not accept the sign-in: ${reasonOf(error)}. Check SMTP_URL.`];
  } finally {
    sender.close();
  }
}

async function checkAddress({ SITE_URL }: Env): Promise<Finding> {
  if (SITE_URL === undefined)
    return ['warning', 'SITE_URL is not set, so links in emails lead to a placeholder address.'];
  const health = new URL('/api/health', SITE_URL).href;
  try {
    const answer = await fetch(health, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    const { status } = (await answer.json().catch(() => ({}))) as { status?: unknown };
    if (status === 'ok') return ['ok', `${health} answers: ok.`];
    return ['warning', `${health} answers ${answer.status}${typeof status === 'string' ? `, ${status}` : ''}.`];
  } catch (error) {
    return ['warning', `${health} does not respond: ${reasonOf(error)}. Start the site, then check the proxy and DNS.`];
  }
}

/** Returns the message of an error's innermost cause, in one line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message.split('\n', 1)[0]?.replace(/\.$/, '') ?? error.name;
}

await main();
