import { serverCommand } from '../../src/domain/activity.ts';
import { emailField } from '../../src/domain/text/plain-text.ts';
import { tellAdmin } from '../../netlify/server/auth/notices.ts';
import { madeUpPassword } from '../../netlify/server/auth/passwords.ts';
import type { Services } from '../../netlify/server/services.ts';
import { ownEnvironment } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import { readArguments, withServices } from './command.ts';

const usage = `Manages the admins of the site. The site can keep running.

  npm run admin -- list
  npm run admin -- create <email>   adds an admin
  npm run admin -- reset <email>    sets a new password, signs the admin out everywhere, removes passkeys, recovery codes and company accounts
  npm run admin -- remove <email>   removes an admin, unless no one else could sign in

create and reset generate a password and print it once.
The command uses the database of the environment or of .env: LIBSQL_URL if it is set, otherwise the file in DATA_DIR.`;

const email = emailField('');

const commands = { list, create, reset, remove };

async function main(): Promise<void> {
  const { positionals } = readArguments({ allowPositionals: true }, usage);
  const [name = '', address = ''] = positionals;
  if (!Object.hasOwn(commands, name) || positionals.length !== (name === 'list' ? 1 : 2)) throw new CommandError(usage);
  if (name !== 'list' && !email.safeParse(address).success) {
    throw new CommandError(`This is not an email address: ${address}`);
  }
  const run = commands[name as keyof typeof commands];
  await withServices(ownEnvironment(), (services) => run(services, address));
}

async function list({ stores }: Services): Promise<void> {
  const admins = await stores.admins.list();
  if (admins.length === 0) {
    console.log('There is no admin yet. Start the site to add the first one, or run: npm run admin -- create <email>');
  }
  for (const { email: name, hasPassword, passkeys, companyAccount, createdAt } of admins) {
    const ways = [
      ...(hasPassword ? ['password'] : []),
      ...(passkeys > 0 ? [passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`] : []),
      ...(companyAccount ? ['company account'] : []),
    ];
    console.log(`${name}  since ${createdAt.slice(0, 10)}  ${ways.join(', ')}`);
  }
}

async function create(services: Services, address: string): Promise<void> {
  const password = madeUpPassword();
  const at = services.now().toISOString();
  const passwordHash = await services.passwords.hash(password);
  if (!(await services.stores.admins.create({ email: address, passwordHash }, at))) {
    throw new CommandError(
      `${address} is already an admin. To set a new password, run: npm run admin -- reset ${address}`,
    );
  }
  await noteDone('added the admin', address, services);
  await tellAdmin(address, 'new-admin', null, services);
  console.log(`${address} can sign in now with the password ${password} (generated now and not shown again).`);
}

async function reset(services: Services, address: string): Promise<void> {
  const { stores, now } = services;
  const admin = await stores.admins.get(address);
  if (!admin) throw new CommandError(`${address} is not an admin. To add one, run: npm run admin -- create ${address}`);
  const password = madeUpPassword();
  await stores.admins.setPassword(admin.email, await services.passwords.hash(password), now().toISOString());
  const sessions = await stores.sessions.removeOthers(admin.email, null);
  const passkeys = await stores.passkeys.removeOf(admin.email);
  await stores.identities.removeOf(admin.email);
  await stores.recoveryCodes.replace(admin.email, []);
  await stores.signInTries.forget();
  await noteDone('set a new password for', admin.email, services);
  await tellAdmin(admin.email, 'password-changed', null, services);
  console.log(`${admin.email} has the new password ${password} (generated now and not shown again).`);
  console.log(
    `Ended sessions: ${sessions}. Removed passkeys: ${passkeys}. Earlier wrong passwords no longer slow down signing in.`,
  );
}

async function remove(services: Services, address: string): Promise<void> {
  if (!(await services.stores.admins.get(address))) throw new CommandError(`${address} is not an admin.`);
  if (!(await services.stores.admins.remove(address))) {
    throw new CommandError(
      `${address} was not removed: no one else could sign in with a password or a passkey. Add another admin first.`,
    );
  }
  await noteDone('removed the admin', address, services);
  await tellAdmin(address, 'admin-removed', null, services);
  console.log(
    `${address} is no longer an admin and is signed out everywhere. Their share links and invitations no longer work, and their unsaved changes are deleted.`,
  );
}

async function noteDone(action: string, subject: string, { stores, now }: Services): Promise<void> {
  await stores.activity.create([{ at: now().toISOString(), who: serverCommand, action, subject }]);
}

await main().catch(failStart);
