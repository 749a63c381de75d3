import { join } from 'node:path';
import process from 'node:process';
import { backUp, BackupError, restore } from './backup.ts';
import { ownEnvironment } from './environment.ts';
import { checkPort, failStart } from './process.ts';

const usage = `Everything that the site holds on this machine, in one file.

  npm run backup                 writes backup-<date>-<time>.tar.gz; the site may run meanwhile
  npm run backup -- <file>       writes that file
  npm run restore -- <file>      puts it back into an empty DATA_DIR; stop the site first`;

async function main(): Promise<void> {
  const [command, file, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || (command === 'restore' && file === undefined)) throw new BackupError(usage);
  const env = ownEnvironment();
  if (env.LIBSQL_URL !== undefined && !env.LIBSQL_URL.startsWith('file:')) {
    throw new BackupError('LIBSQL_URL names a database server: use the backups of that service (docs/operate.md).');
  }
  if (command === 'restore') {
    await checkPort(env);
    const { createdAt, files } = await restore(file ?? '', env.DATA_DIR);
    console.log(`${env.DATA_DIR} is as it was at ${createdAt}: ${files} files, each compared with the backup's list.`);
    return;
  }
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  const target = file ?? join(process.cwd(), `backup-${stamp}.tar.gz`);
  const { files } = await backUp(env.DATA_DIR, target);
  console.log(`${target} holds the database and ${files - 1} files more. It contains personal data: keep it as safe.`);
}

await main().catch((error: unknown) => {
  if (!(error instanceof BackupError)) failStart(error);
  console.error(error.message);
  process.exitCode = 1;
});
