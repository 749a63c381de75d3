import { constants, existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { weaknessOf } from '../../netlify/server/auth/passwords.ts';
import { sql, text } from '../../netlify/server/db/database.ts';
import { DatabaseFault } from '../../netlify/server/db/fault.ts';
import { connectTo } from '../../netlify/server/db/open.ts';
import { checkSiteDetails, ownerWarnings } from '../../netlify/server/publishing/site-details.ts';
import type { Env } from '../../netlify/server/env.ts';
import {
  checkMail,
  checkPort,
  checkWebhook,
  type Finding,
  healthAt,
  listenWarning,
  ownerWarning,
  ownUrl,
  reasonOf,
} from '../checks.ts';
import { lastRehearsal, unfinished } from '../backups/rehearsal.ts';
import { backupStore, pastBackups, timeOf } from '../backups/store.ts';
import { refuseLostData } from '../data/lost-data.ts';
import { freeBytesOf } from '../data/platform.ts';
import { databaseName, openInThisThread } from '../data/sqlite.ts';
import { ownEnvironment } from '../environment.ts';
import { adviceOn, failStart } from '../errors.ts';
import { ownDataDirectory } from '../backups/archive.ts';
import { readArguments } from './command.ts';

const usage = `Checks everything that the site needs on this machine, changes nothing, and prints advice.

  npm run doctor                      one line for each check
  npm run doctor -- --upgrade         before an upgrade: skips the port; faults of other servers are warnings
  npm run --silent doctor -- --json   for programs: {"problems":0,"warnings":1,"findings":[{"verdict":"ok","text":"…"}]}`;

async function main(): Promise<void> {
  const options = { json: { type: 'boolean' }, upgrade: { type: 'boolean', default: false } } as const;
  const { json, upgrade } = readArguments({ options }, usage).values;
  const findings: readonly Finding[] = [
    ['ok', `Node.js ${process.versions.node}.`],
    ...(await found(checkDetails)),
    ...(await checkEnvironment(upgrade)),
  ];
  const countOf = (verdict: Finding[0]) => findings.filter(([one]) => one === verdict).length;
  const [problems, warnings] = [countOf('wrong'), countOf('warning')];
  const number = (n: number, noun: string) => `${n === 0 ? 'No' : n} ${noun}${n === 1 ? '' : 's'}`;
  if (json) {
    const listed = findings.map(([verdict, words]) => ({ verdict, text: words }));
    console.log(JSON.stringify({ problems, warnings, findings: listed }));
  } else {
    for (const [verdict, words] of findings) console.log(`${verdict.padEnd(8)}${words}`);
    console.log(`\n${number(problems, 'problem')} and ${number(warnings, 'warning').toLowerCase()} found.`);
  }
  process.exitCode = problems === 0 ? 0 : 1;
}

/** Returns what a check finds. A start that fails for the same reason prints the same advice. */
const found = (check: () => Promise<Finding[]>): Promise<Finding[]> =>
  check().catch((error: unknown) => [['wrong', adviceOn(error) ?? reasonOf(error)]]);

async function checkDetails(): Promise<Finding[]> {
  checkSiteDetails();
  return [['ok', "The firm's details are valid."]];
}

/** Checks the environment, and everything that the environment names. */
async function checkEnvironment(isUpgrade: boolean): Promise<Finding[]> {
  let env: Env;
  try {
    env = ownEnvironment();
  } catch (error) {
    const words = adviceOn(error) ?? reasonOf(error);
    return [['wrong', `${words}\n        Correct these variables, then run this command again for the other checks.`]];
  }
  const outside = [checkMail, checkWebhook, ...(env.BACKUP_URL === undefined ? [] : [checkBackups])];
  const checks = [
    ...[checkOwnTexts, checkMail, checkWebhook, ...(isUpgrade ? [] : [checkListening]), checkFolder],
    ...[checkSpace, checkDatabase, checkBackups, checkPassword, checkAddress],
  ];
  const results = checks.map(async (check): Promise<Finding[]> => {
    const findings = await found(() => check(env));
    // The current version cannot use the other server either, so an upgrade makes nothing worse, and may correct the reason.
    return isUpgrade && outside.includes(check) ? findings.map(asWarning) : findings;
  });
  return [
    ['ok', `All variables that ${env.production ? 'production' : 'the site'} requires are set.`],
    ...(await Promise.all(results)).flat(),
  ];
}

const asWarning = ([verdict, words]: Finding): Finding => [verdict === 'wrong' ? 'warning' : verdict, words];

/** Returns a task that only a site in production has to complete. */
const beforeProduction = (words: string, production: boolean): Finding =>
  production ? ['warning', words] : ['ok', `Before production: ${words}`];

async function checkOwnTexts({ production }: Env): Promise<Finding[]> {
  const warnings = ownerWarnings();
  if (warnings.length === 0)
    return [['ok', "The firm's details are not placeholders, and its promises are confirmed."]];
  return warnings.map((words) => beforeProduction(words, production));
}

async function checkListening(env: Env): Promise<Finding[]> {
  const warning = listenWarning(env);
  const warnings: Finding[] = warning === null ? [] : [['warning', warning]];
  const where = `${env.HOST}, port ${env.PORT}`;
  // The port may be in use by this site.
  const status = await healthAt(ownUrl(env)).catch(() => undefined);
  if (status !== undefined) return [...warnings, ['ok', `The site is running on ${where}.`]];
  await checkPort(env);
  return [...warnings, ['ok', `The site can listen on ${where}.`]];
}

async function checkFolder(env: Env): Promise<Finding[]> {
  const folder = resolve(env.DATA_DIR);
  const found = await stat(folder).catch(() => null);
  if (!found) return [['ok', `${folder} does not exist yet. The first start creates it.`]];
  if (!found.isDirectory()) return [['wrong', `${folder} is not a folder. Set DATA_DIR to another path.`]];
  const foreign = await ownerWarning(env);
  if (foreign !== null) return [['wrong', foreign]];
  for (const path of [folder, join(folder, databaseName), join(folder, 'blobs')].filter((one) => existsSync(one))) {
    await access(path, constants.R_OK | constants.W_OK);
  }
  if (found.mode & 0o077) return [['warning', `Other accounts can read ${folder}. Run: chmod 700 ${folder}`]];
  return [['ok', `${folder} is writable, and other accounts cannot read it.`]];
}

async function checkSpace({ DATA_DIR }: Env): Promise<Finding[]> {
  let folder = resolve(DATA_DIR);
  while (!existsSync(folder)) folder = dirname(folder);
  const free = Math.floor((await freeBytesOf(folder)) / 1024 ** 2);
  const words = `${free.toLocaleString('en-US')} MB of disk space is free for ${resolve(DATA_DIR)}.`;
  if (free < 200) return [['wrong', `${words} The site needs at least 200 MB. Free some space.`]];
  return [
    free < 2_000 ? ['warning', `${words} Plan for more, because uploads and backups need space.`] : ['ok', words],
  ];
}

async function checkDatabase({ DATA_DIR, EMPTY_DATA, LIBSQL_URL, LIBSQL_AUTH_TOKEN }: Env): Promise<Finding[]> {
  if (LIBSQL_URL !== undefined) {
    const server = await connectTo(LIBSQL_URL, LIBSQL_AUTH_TOKEN);
    await server.read(sql`SELECT 1`).finally(() => server.close());
    return [['ok', 'The database in LIBSQL_URL answers.']];
  }
  if (EMPTY_DATA !== 'accept') await refuseLostData(DATA_DIR);
  const file = resolve(DATA_DIR, databaseName);
  if (!existsSync(file)) return [['ok', 'There is no database yet. The first start creates it.']];
  const database = openInThisThread(file, { readOnly: true, create: false });
  const [found] = await database.read(sql`PRAGMA quick_check(1)`).finally(() => database.close());
  if (found?.quick_check !== 'ok') throw new DatabaseFault('corrupt', new Error(text(found?.quick_check)));
  return [['ok', `The database in ${file} answers and is not damaged.`]];
}

async function checkBackups(env: Env): Promise<Finding[]> {
  const { BACKUP_DIR, BACKUP_KEY, BACKUP_URL, DATA_DIR, production } = env;
  const store = backupStore(env);
  if (!store) {
    const words =
      'Neither BACKUP_DIR nor BACKUP_URL is set, so the site makes no nightly backups. Set one: a folder on another disk, or a bucket.';
    return [beforeProduction(words, production)];
  }
  ownDataDirectory(env);
  if (BACKUP_URL === undefined && existsSync(BACKUP_DIR!)) await access(BACKUP_DIR!, constants.W_OK);
  const newest = pastBackups(await store.list(), new Date()).at(-1);
  const words = newest
    ? `The newest backup in ${store.name} is from ${timeOf(newest).toISOString()}.`
    : `There is no backup in ${store.name} yet.`;
  const found: Finding[] = [['ok', words]];
  const last = await lastRehearsal(DATA_DIR);
  // Only a warning, so an upgrade that corrects the reason can be installed.
  if (last?.error === unfinished) found.push(['ok', `A test restore began on ${last.at}, and has no result yet.`]);
  else if (last?.error) found.push(['warning', `The test restore on ${last.at} failed: ${last.error}`]);
  const unencrypted =
    'BACKUP_KEY is not set, so the operator of the backup bucket can read the backups. Set BACKUP_KEY.';
  if (BACKUP_URL !== undefined && BACKUP_KEY === undefined) found.push(['warning', unencrypted]);
  const [disk, own] = await Promise.all([store.name, DATA_DIR].map((folder) => stat(folder).catch(() => null)));
  if (disk && disk.dev === own?.dev) {
    found.push(['warning', `${store.name} is on the same disk as the data. If that disk fails, both are lost.`]);
  }
  return found;
}

/** Only the first start uses ADMIN_PASSWORD, and in production it refuses a common one. */
async function checkPassword(env: Env): Promise<Finding[]> {
  const { ADMIN_PASSWORD, ADMIN_EMAIL = '', DATA_DIR, LIBSQL_URL, production } = env;
  if (ADMIN_PASSWORD === undefined || LIBSQL_URL !== undefined || existsSync(join(DATA_DIR, databaseName))) return [];
  const weakness = await weaknessOf(ADMIN_PASSWORD, ADMIN_EMAIL);
  if (weakness === null) return [['ok', 'ADMIN_PASSWORD is hard to guess.']];
  return [[production ? 'wrong' : 'warning', `ADMIN_PASSWORD is not safe enough for production. ${weakness}`]];
}

async function checkAddress({ SITE_URL }: Env): Promise<Finding[]> {
  if (SITE_URL === undefined) {
    return [['warning', 'SITE_URL is not set, so links in emails lead to a placeholder address.']];
  }
  const health = `${SITE_URL}/api/health`;
  try {
    const status = await healthAt(SITE_URL);
    if (status === undefined) return [['warning', `${health} does not return the health report of this site.`]];
    return [[status === 'ok' ? 'ok' : 'warning', `${health} reports: ${status}.`]];
  } catch (error) {
    const advice = 'Start the site, then check the proxy and DNS.';
    return [['warning', `${health} does not respond: ${reasonOf(error)}. ${advice}`]];
  }
}

await main().catch(failStart);
