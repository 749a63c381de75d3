import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { readEnv } from '../../../netlify/server/env.ts';
import { migrate } from '../../../netlify/server/db/migrate.ts';
import { servicesOf } from '../../../netlify/server/services.ts';
import { backUp } from '../../../host/commands/backup.ts';
import { openPlatform } from '../../../host/data/platform.ts';
import { anInquiry } from '../samples/inquiries.ts';
import { migratedFile } from '../api/services.ts';
import { folder, makeFolders } from './folder.ts';

export { folder };
/** The data folder in the folder of the current test ({@link useDataFolder}). */
export let data: string;

/** Makes a folder for each test of a file, with a data folder in it. */
export function useDataFolder(): void {
  makeFolders();
  beforeEach(async () => {
    data = join(folder, 'data');
    await mkdir(data, { mode: 0o700 });
    await copyFile(await migratedFile(), join(data, 'site.db'));
  });
}

/** Opens the site's stores with a data folder. */
export async function openData(directory: string) {
  const platform = await openPlatform(readEnv({ DATA_DIR: directory }));
  const database = await platform.openEmbeddedDatabase!();
  await migrate(database);
  const services = servicesOf(platform.env, database, platform.openBlobStore);
  const { stores, blobs } = services;
  return { services, stores, blobs, database, close: () => platform.close() };
}

export const inquiryOf = (
  id: string,
  input: Parameters<typeof anInquiry>[0] = {},
  createdAt = '2026-01-01T00:00:00.000Z',
) => ({ input: anInquiry(input), id, createdAt, suspicions: [] });

/** The query for all inquiries with a word. */
export const inbox = (q = '') => ({ q, sort: '-createdAt' as const, limit: 50, status: 'inbox' as const });

/** Opens the site of the current test, and stores an inquiry and a resume. */
export async function siteWithAnInquiry() {
  const site = await openData(data);
  await site.stores.submissions.create('inquiry', inquiryOf('a'.repeat(64)));
  await site.blobs('resumes').set('one', 'The resume');
  return site;
}

/** Makes a backup of a site with an inquiry. @returns the archive. */
export async function aBackup(): Promise<string> {
  await (await siteWithAnInquiry()).close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  return archive;
}
