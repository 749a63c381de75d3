import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SmallDisk {
  readonly folder: string;
  remount(options: string): void;
  remove(): Promise<void>;
}

/** Mounts a disk in memory (tmpfs). @returns null, and prints the reason, if this account may not mount disks. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    await rm(folder, { recursive: true });
    console.log(`Skipped: this account may not mount a disk (${error instanceof Error ? error.message : ''}).`);
    return null;
  }
  return {
    folder,
    remount: (options) => void execFileSync('mount', ['-o', `remount,${options}`, folder]),
    async remove() {
      execFileSync('umount', ['-l', folder]);
      await rm(folder, { recursive: true });
    },
  };
}
