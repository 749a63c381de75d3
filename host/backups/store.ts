import { createWriteStream, existsSync, openAsBlob } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import type { Env } from '../../netlify/server/env.ts';
import { reasonOf } from '../checks.ts';
import { filesIn } from '../data/files-in.ts';
import { withStaging } from './archive.ts';
import { timeName } from './erasures.ts';
import { CommandError } from '../errors.ts';

/** Matches the names of new backups, which contain the time in UTC. Sorting the names sorts the backups by time. */
const backupNames = /^backup-\d{4}-\d{2}-\d{2}-\d{6}\.tar\.gz(?:\.age)?$/;

export const endingOf = (key: string | undefined): string => (key === undefined ? '.tar.gz' : '.tar.gz.age');

const stemOf = (now: Date) => `backup-${now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}`;

export const isBackup = (name: string): boolean => backupNames.test(name);

export const backupName = (now: Date, key: string | undefined): string => stemOf(now) + endingOf(key);

/**
 * Returns the names of backups, oldest first. Leaves out names that a wrong clock has put into the future: they would
 * count as the newest backups.
 */
export function pastBackups(names: readonly string[], now: Date): string[] {
  const latest = stemOf(now);
  return names.filter((name) => isBackup(name) && name.slice(0, latest.length) <= latest).sort();
}

/** Returns the time of a backup from its name. */
export function timeOf(backup: string): Date {
  const [, date, hours, minutes, seconds] = /^backup-(.{10})-(..)(..)(..)/.exec(backup) ?? [];
  return new Date(`${date}T${hours}:${minutes}:${seconds}Z`);
}

/** The location of the backups and of the erasures next to them: a folder, or a bucket of an S3-compatible store. */
export interface BackupStore {
  /** For messages. Contains no secret. */
  readonly name: string;
  /** Returns the names of all files. */
  list(): Promise<string[]>;
  /** Adds the files that `work` writes into a folder: a backup, erasures, or both. */
  add(work: (folder: string) => Promise<void>): Promise<void>;
  /** Runs `work` with a folder that has a backup and the erasures. */
  read<T>(backup: string, work: (folder: string) => Promise<T>): Promise<T>;
  remove(name: string): Promise<void>;
}

/** Returns the store of BACKUP_URL or BACKUP_DIR, or null if neither is set. */
export function backupStore({ BACKUP_DIR, BACKUP_URL, DATA_DIR }: Env): BackupStore | null {
  if (BACKUP_URL !== undefined) return bucket(BACKUP_URL, DATA_DIR);
  return BACKUP_DIR === undefined ? null : folderStore(BACKUP_DIR);
}

/** Deletes the oldest backups until `keep` are left. Ignores other files. */
export async function prune(store: BackupStore, keep: number, now: Date): Promise<void> {
  for (const name of pastBackups(await store.list(), now).slice(0, -keep)) await store.remove(name);
}

export function folderStore(folder: string): BackupStore {
  return {
    name: folder,
    list: async () => (existsSync(folder) ? await readdir(folder) : []),
    add: async (work) => await work(folder),
    read: async (_, work) => await work(folder),
    remove: async (name) => await rm(join(folder, name)),
  };
}

/**
 * @param address `https://KEY:SECRET@HOST/BUCKET/FOLDER?region=REGION`. The folder and the region are optional.
 * @param scratch an existing folder with enough space for a backup.
 */
export function bucket(address: string, scratch: string): BackupStore & { download: typeof download } {
  const { origin, host, pathname, username, password, searchParams } = new URL(address);
  const [name = '', ...folders] = pathname.split('/').filter(Boolean);
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    service: 's3',
    region: searchParams.get('region') ?? undefined,
    retries: 3,
  });

  const ask = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await client.fetch(`${origin}/${name}${path}`, init).catch((error: unknown) => {
      throw new CommandError(`The backup bucket at ${host} cannot be reached: ${reasonOf(error)}.`);
    });
    if (response.ok) return response;
    const code = /<Code>(.*?)<\/Code>/.exec(await response.text())?.[1] ?? response.status;
    throw new CommandError(`The backup bucket at ${host} refuses a request: ${code}. Check BACKUP_URL.`);
  };

  const list = async (): Promise<string[]> => {
    const names: string[] = [];
    for (;;) {
      const after = prefix + (names.at(-1) ?? '');
      const query = { 'list-type': '2', prefix, ...(after && { 'start-after': after }) };
      const page = await (await ask(`?${new URLSearchParams(query)}`)).text();
      for (const [, key = ''] of page.matchAll(/<Key>(.*?)<\/Key>/g)) names.push(key.slice(prefix.length));
      if (!page.includes('<IsTruncated>true')) return names;
    }
  };

  async function download(backup: string, folder: string): Promise<void> {
    // Only names that lead to no other folder.
    const erasures = (await list()).filter((name) => /^erasures\/\w[\w.-]*$/.test(name));
    for (const file of [backup, ...erasures]) {
      const { body } = await ask(`/${prefix}${file}`);
      await mkdir(dirname(join(folder, file)), { recursive: true, mode: 0o700 });
      if (body) await pipeline(body, createWriteStream(join(folder, file), { mode: 0o600 }));
    }
  }

  return {
    name: `${host}/${name}/${prefix}`,
    list,
    download,
    async add(work) {
      await withStaging(scratch, async (staging) => {
        await work(staging);
        const stored = new Set(await list());
        const isTime = (file: string) => basename(file) === timeName;
        // The time until which the store has all erasures comes last, so it is true also after an interruption.
        const files = (await filesIn(staging)).sort((a, b) => Number(isTime(a)) - Number(isTime(b)));
        for (const file of files) {
          const key = file.slice(staging.length + 1);
          // The content of a file never changes, except the time.
          if (isTime(file) || !stored.has(key)) {
            await ask(`/${prefix}${key}`, { method: 'PUT', body: await openAsBlob(file) });
          }
        }
      });
    },
    async read(backup, work) {
      return await withStaging(scratch, async (staging) => {
        await download(backup, staging);
        return await work(staging);
      });
    },
    async remove(file) {
      await ask(`/${prefix}${file}`, { method: 'DELETE' });
    },
  };
}
