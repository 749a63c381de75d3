import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { backUp, backupName, listErasures, onSameDisk, prune, type RestoreFacts, restore, verify } from './backup.ts';
import { BackupError } from './backup-files.ts';
import { ownEnvironment } from './environment.ts';
import { checkPort } from './checks.ts';
import { failStart } from './errors.ts';

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
  const folder = isFolder ? given : dirname(resolve(given ?? 'backup'));
  const target = given === undefined || isFolder ? join(folder, backupName(new Date())) : given;
  const { files } = await backUp(env.DATA_DIR, target);
  console.log(
    `${target} holds the database and ${files - 1} other files. The backup was read back and can be restored.`,
  );
  console.log(
    'The backup contains personal data: keep it where only you can read it. Keep a copy of .env too, which is not in the backup.',
  );
  if (await onSameDisk(folder, env.DATA_DIR)) {
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
    const { createdAt, files } = await verify(file, dirname(resolve(file)));
    console.log(`${file} can be restored: ${files} files as of ${createdAt}. Nothing was changed.`);
    return;
  }
  await checkPort(env);
  const facts = await restore(file, env.DATA_DIR, values.erasures ?? []);
  console.log(
    `${env.DATA_DIR} is restored to ${facts.createdAt}: ${facts.files} files, each one checked against the list in the backup.`,
  );
  console.log(erasedAgainText(facts));
  console.log('The backup does not include .env. Check that .env is in place before you start the site.');
}

function erasedAgainText({ erasedAgain, lists }: RestoreFacts): string {
  if (erasedAgain === null) {
    return 'This backup is from a version without a list of erasures. If you erased personal data after the backup, erase it again by hand.';
  }
  if (lists.length === 0) {
    return 'No list of erasures was found. If you erased personal data after the backup, erase it again by hand, or restore again with --erasures.';
  }
  const what = `${erasedAgain} ${erasedAgain === 1 ? 'inquiry or application' : 'inquiries and applications'}`;
  return `Erased again, from ${lists.join(' and ')}: ${what}.`;
}

function parsed<T extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch {
    throw new BackupError(usage);
  }
}

await main().catch((error: unknown) => {
  if (!(error instanceof BackupError)) failStart(error);
  console.error(error.message);
  process.exitCode = 1;
});
