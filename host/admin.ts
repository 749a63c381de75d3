import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { shortestPassword } from '../src/domain/account.ts';
import { emailField } from '../src/domain/plain-text.ts';
import { tellAdmin, tellOfNewAdmin } from '../netlify/server/auth/account-notices.ts';
import { weaknessOf } from '../netlify/server/auth/common-passwords.ts';
import { hashPassword, madeUpPassword } from '../netlify/server/auth/passwords.ts';
import { connect } from '../netlify/server/db/connect.ts';
import { migrate } from '../netlify/server/db/migrate.ts';
import { lendPlatform } from '../netlify/server/platform.ts';
import { type Services, servicesOf } from '../netlify/server/services.ts';
import { ownEnvironment } from './environment.ts';
import { openPlatform } from './platform.ts';
import { failStart } from './process.ts';

const usage = `Admins of the site. It may run meanwhile.

  npm run admin -- list
  npm run admin -- create <email>   makes an admin
  npm run admin -- reset <email>    gives another password, signs out everywhere, removes passkeys and company accounts
  npm run admin -- remove <email>   takes an admin away, unless nobody else could sign in

create and reset make up a password and print it once. With --ask you type one instead.
The database is that of the environment, or of .env: LIBSQL_URL, else the file under DATA_DIR.`;

/** What went wrong in words for the person at the terminal. */
class AdminError extends Error {}

const email = emailField('');

async function main(): Promise<void> {
  const words = process.argv.slice(2).filter((word) => word !== '--ask');
  const ask = process.argv.includes('--ask');
  const [command = '', address = ''] = words;
  if (!['list', 'create', 'reset', 'remove'].includes(command) || words.length !== (command === 'list' ? 1 : 2)) {
    throw new AdminError(usage);
  }
  if (command !== 'list' && !email.safeParse(address).success) {
    throw new AdminError(`This is no e-mail address: ${address}`);
  }
  const env = ownEnvironment();
  const platform = await openPlatform(env);
  lendPlatform(platform);
  const database = await connect(platform.env);
  await migrate(database);
  const services = servicesOf(platform.env, database, platform.openBlobStore);
  try {
    if (command === 'list') await list(services);
    else if (command === 'create') await create(address, ask, services);
    else if (command === 'reset') await reset(address, ask, services);
    else await remove(address, services);
  } finally {
    database.close();
    await platform.close();
  }
}

async function list({ stores }: Services): Promise<void> {
  const admins = await stores.admins.list();
  if (admins.length === 0)
    console.log('There is no admin yet. The first start makes one, or: npm run admin -- create <email>');
  for (const { email: name, hasPassword, createdAt } of admins) {
    const ways = [hasPassword ? 'password' : 'company account only'];
    const passkeys = (await stores.passkeys.listOf(name)).length;
    if (passkeys > 0) ways.push(passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`);
    console.log(`${name}  since ${createdAt.slice(0, 10)}  ${ways.join(', ')}`);
  }
}

async function create(address: string, ask: boolean, services: Services): Promise<void> {
  const { password, shown } = await choosePassword(ask, address);
  const at = services.now().toISOString();
  if (!(await services.stores.admins.create({ email: address, passwordHash: await hashPassword(password) }, at))) {
    throw new AdminError(`${address} is an admin already. To give another password: npm run admin -- reset ${address}`);
  }
  await noteDone('made an admin', address, services);
  await tellOfNewAdmin(address, null, services);
  console.log(`${address} can sign in now${shown}`);
}

async function reset(address: string, ask: boolean, services: Services): Promise<void> {
  const { stores, now } = services;
  const admin = await stores.admins.get(address);
  if (!admin) throw new AdminError(`${address} is no admin. To make one: npm run admin -- create ${address}`);
  const { password, shown } = await choosePassword(ask, admin.email);
  await stores.admins.setPassword(admin.email, await hashPassword(password), now().toISOString());
  const sessions = await stores.sessions.removeOthers(admin.email, null);
  const passkeys = await stores.passkeys.removeAll(admin.email);
  await stores.devices.removeOthers(admin.email, null);
  await stores.identities.removeOf(admin.email);
  await stores.signInAttempts.forgive(admin.email);
  await noteDone('gave another password to', admin.email, services);
  await tellAdmin(admin.email, 'password-changed', null, services);
  console.log(`${admin.email} has another password${shown}`);
  console.log(
    `Ended sessions: ${sessions}. Removed passkeys: ${passkeys}. Wrong passwords no longer slow down signing in.`,
  );
}

async function remove(address: string, services: Services): Promise<void> {
  if (!(await services.stores.admins.get(address))) throw new AdminError(`${address} is no admin.`);
  if (!(await services.stores.admins.remove(address))) {
    throw new AdminError(`${address} stays: nobody else could sign in by password. Make another admin first.`);
  }
  await noteDone('removed the admin', address, services);
  console.log(`${address} is no admin any more, and is signed out everywhere.`);
}

async function noteDone(action: string, subject: string, { stores, now }: Services): Promise<void> {
  await stores.activity.create([{ at: now().toISOString(), who: 'the command line', action, subject }]);
}

/** @returns the password, and how a sentence that ends with it goes on. */
async function choosePassword(ask: boolean, address: string): Promise<{ password: string; shown: string }> {
  if (!ask) {
    const password = madeUpPassword();
    return { password, shown: ` with the password ${password} (made up now, and not shown again).` };
  }
  const password = await typed('The new password (it is not shown): ');
  if (password.length < shortestPassword) throw new AdminError(`Please use at least ${shortestPassword} characters.`);
  const weakness = await weaknessOf(password, address);
  if (weakness !== null) throw new AdminError(weakness);
  return { password, shown: ' with the password that you typed.' };
}

/** A line from the terminal, or from what is piped in, without showing it. */
async function typed(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

await main().catch((error: unknown) => {
  if (!(error instanceof AdminError)) failStart(error);
  console.error(error.message);
  process.exitCode = 1;
});
