import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** Mounts a disk in memory (tmpfs) for a test. Skips the test if this account may not mount disks. */
export async function smallDisk(megabytes: number, { onTestFinished, skip }: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    skip(`This account may not mount a disk (${error instanceof Error ? error.message : ''}).`);
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return {
    folder,
    remount: (options: string) => void execFileSync('mount', ['-o', `remount,${options}`, folder]),
  };
}
