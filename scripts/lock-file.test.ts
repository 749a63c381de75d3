import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  /** True if the package is bundled with the package whose folder contains it. */
  readonly inBundle?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Readonly<Record<string, Entry>> };
const entries = Object.entries(lock.packages);

/**
 * Returns the lock file's entry for the package `name`, as Node finds it for an import in the package at path `from`:
 * first in the `node_modules` of `from`, then in the `node_modules` of each parent folder.
 */
function resolve(from: string, name: string): Entry | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const found = lock.packages[join(folder, 'node_modules', name)];
    if (found || !folder.includes('node_modules')) return found;
  }
}

/** Packages with a variant for each operating system. `variants` contains the variants' entries in the lock file. */
const native = entries.flatMap(([path, { optionalDependencies = {} }]) => {
  const variants = Object.keys(optionalDependencies).flatMap((name) => resolve(path, name) ?? []);
  return variants.filter(({ os }) => os).length < 3
    ? []
    : [{ name: path.split('node_modules/').at(-1) ?? '', variants }];
});

describe('The lock file', () => {
  test('is accepted by npm ci', { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'lock-'));
    try {
      for (const file of ['package.json', 'package-lock.json', '.npmrc', 'netlify/no-emulator']) {
        cpSync(file, join(folder, file), { recursive: true });
      }
      const options = ['--dry-run', '--prefer-offline', '--include=dev', '--loglevel=error'];
      expect(execFileSync('npm', ['ci', ...options], { cwd: folder, encoding: 'utf8' })).toMatch(/added \d+ packages/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('has every optional package that a package names, in the required version', () => {
    const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(([name, range]) => {
          const version = resolve(path, name)?.version;
          return version === undefined || (/^\d+\.\d+\.\d+$/.test(range) && version !== range);
        })
        .map(([name, range]) => `${path} needs ${name} ${range}`),
    );
    expect(missing).toEqual([]);
  });

  test('knows the packages with native code', () => {
    const names = native.map(({ name }) => name);
    for (const name of ['sharp', 'esbuild', 'libsql', 'lightningcss', 'rolldown', 'satteri'])
      expect(names).toContain(name);
    for (const name of ['@tailwindcss/oxide', '@astrojs/compiler-binding']) expect(names).toContain(name);
  });

  test.each([
    ['Linux, Intel', 'linux', 'x64', 'glibc'],
    ['Linux, ARM', 'linux', 'arm64', 'glibc'],
    ['Alpine Linux, Intel', 'linux', 'x64', 'musl'],
    ['Alpine Linux, ARM', 'linux', 'arm64', 'musl'],
    ['macOS, Intel', 'darwin', 'x64', undefined],
    ['macOS, ARM', 'darwin', 'arm64', undefined],
  ])('has native code for %s', (_, os, cpu, libc) => {
    const serves = (variant: Entry): boolean =>
      (variant.os?.includes(os) ?? false) &&
      (variant.cpu?.includes(cpu) ?? true) &&
      (libc === undefined || (variant.libc?.includes(libc) ?? true));
    const without = native.filter(({ variants }) => !variants.some(serves));
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  test('has a hash for each package, and names no registry', () => {
    const fetched = entries.filter(
      ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
    );
    expect(fetched.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
    expect(fetched.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
  });
});

test('No package runs an install script', () => {
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
});
