import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ownEnvironment } from '../environment.ts';
import { failStart } from '../errors.ts';
import { backUp, backupName, listErasures, prune, type RestoreFacts, restore, verify } from './backup.ts';
import { BackupError } from './backup-files.ts';

const usage = `Backs up everything that the site stores on this machine, in one file. The file .env is not included.

  npm run backup                              writes backup-<date>-<time>.tar.gz; the site can keep running
  npm run backup -- <file or folder>          writes this file, or a new file in this folder
  npm run backup -- --keep 14 <folder>        then deletes all but the 14 newest backups in the folder
  npm run backup -- --erasures <folder>       only updates the list of erasures in the folder, which takes a moment
  npm run restore -- <file>                   restores the backup into an empty DATA_DIR; stop the site first
  npm run restore -- --verify <file>          checks that a backup can be restored, and changes nothing
  npm run restore -- --erasures <list> <file> also repeats the erasures on this list`;

async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2);
  const env = ownEnvironment();
  if (env.LIBSQL_URL !== undefined && !env.LIBSQL_URL.startsWith('file:')) {
    throw new BackupError(
      'LIBSQL_URL names a database server, which this command cannot copy. Use the backups of that service (Turso: point-in-time restore; your own sqld: a snapshot of its volume), and copy the blobs of DATA_DIR. See docs/operate.md.',
    );
  }
  await (command === 'restore' ? restoreCommand(args, env) : backupCommand(args, env));
}

type Env = ReturnType<typeof ownEnvironment>;

async function backupCommand(args: string[], env: Env): Promise<void> {
  const { values, positionals } = parsed(args, { keep: { type: 'string' }, erasures: { type: 'boolean' } });
  const [given, ...rest] = positionals;
  const keep = values.keep === undefined ? null : Number(values.keep);
  if (rest.length > 0 || (keep !== null && !(Number.isSafeInteger(keep) && keep > 0))) throw new BackupError(usage);
  if (values.erasures) {
    if (given === undefined) throw new BackupError(usage);
    const count = await listErasures(env.DATA_DIR, given);
    console.log(`The list of erasures in ${given} is up to date: ${count} ${count === 1 ? 'erasure' : 'erasures'}.`);
    return;
  }
  if (keep !== null && given === undefined) throw new BackupError(usage);
  if (keep !== null && given) await mkdir(given, { recursive: true });
  const isFolder = given !== undefined && (await stat(given).catch(() => null))?.isDirectory();
  if (keep !== null && !isFolder) throw new BackupError(`${given} is not a folder, and --keep needs a folder.`);
  if (given !== undefined && !isFolder && !/\.(tar\.gz|tgz)$/.test(given)) {
    throw new BackupError(`The folder ${given} does not exist. Create it first, or name a file that ends in .tar.gz.`);
  }
  const folder = isFolder ? given : dirname(resolve(given ?? 'backup'));
  const target = given === undefined || isFolder ? join(folder, backupName(new Date())) : given;
  await backUp(env.DATA_DIR, target);
  console.log(`${target} is complete. The backup was read back and can be restored.`);
  console.log(
    'The backup contains personal data: keep it where only you can read it. Keep a copy of .env too, which is not in the backup.',
  );
  if ((await stat(folder)).dev === (await stat(env.DATA_DIR)).dev) {
    console.warn(`Warning: ${folder} is on the same disk as the data. If that disk fails, both are lost.`);
  }
  if (keep !== null) {
    for (const name of await prune(folder, keep)) console.log(`Deleted the old backup ${name}.`);
  }
}

async function restoreCommand(args: string[], env: Env): Promise<void> {
  const { values, positionals } = parsed(args, {
    verify: { type: 'boolean' },
    erasures: { type: 'string', multiple: true },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new BackupError(usage);
  if (values.verify) {
    const createdAt = await verify(file, dirname(resolve(file)));
    console.log(`${file} can be restored to ${createdAt}. Nothing was changed.`);
    return;
  }
  const facts = await restore(file, env.DATA_DIR, values.erasures ?? []);
  console.log(`${env.DATA_DIR} is restored to ${facts.createdAt}.`);
  if (facts.waitingFrom !== null) {
    console.log(`Inquiries and applications that waited in ${facts.waitingFrom} were added.`);
  }
  console.log(erasedAgainText(facts));
  console.log('The backup does not include .env. Check that .env is in place before you start the site.');
}

function erasedAgainText({ erasedAgain, lists, knownUntil }: RestoreFacts): string {
  const what = `${erasedAgain} ${erasedAgain === 1 ? 'inquiry or application' : 'inquiries and applications'}`;
  const erased =
    lists.length === 0 ? 'No list of erasures was found.' : `Erased again, from ${lists.join(' and ')}: ${what}.`;
  return `${erased}\nErasures after ${knownUntil} are unknown. If you erased personal data after that time, erase it again by hand, or restore again with --erasures.`;
}

function parsed<T extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch {
    throw new BackupError(usage);
  }
}

await main().catch(failStart);
