import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type beforeAll, beforeEach } from 'vitest';

/** The temporary folder of the current test ({@link makeFolders}). */
export let folder: string;

/**
 * Makes a temporary folder for each test of a file, and removes it after the hooks of the file. Call it once, before the
 * hooks that use the folder.
 * @param before `beforeAll` for one folder for all tests of the file.
 */
export function makeFolders(before: typeof beforeEach | typeof beforeAll = beforeEach): void {
  before(async () => {
    const made = await mkdtemp(join(tmpdir(), 'test-'));
    folder = made;
    return () => rm(made, { recursive: true, force: true });
  });
}
