import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const runFile = promisify(execFile);

/** Programs that run on a server, in addition to the functions. */
const programs = [
  'host/start.ts',
  'host/data/database-thread.ts',
  'host/commands/doctor.ts',
  'host/commands/admin.ts',
  'host/commands/backup-command.ts',
  'netlify/api-functions.ts',
  'scripts/node24.mjs',
];
const functions = 'netlify/functions';

export interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Returns the files that run on a server, and the names of the packages that these files import. */
export async function serverCode(root: string): Promise<{ files: string[]; packages: string[] }> {
  const names = await readdir(join(root, functions));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...programs, ...names.filter((name) => name.endsWith('.ts')).map((name) => join(functions, name))],
    bundle: true,
    packages: 'external',
    // A release has nothing to build.
    external: ['*/build.ts'],
    platform: 'node',
    format: 'esm',
    outdir: 'unused',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const imported = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !isBuiltin(path) && !path.startsWith('.'))
    .map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  return {
    files: Object.keys(metafile.inputs).filter((file) => file !== 'package.json'),
    packages: [...new Set(imported)].sort(),
  };
}

/**
 * Writes package.json and package-lock.json for a folder that needs some of the project's packages, in the project's
 * versions.
 * @param choose returns the folder's package.json, given the project's package.json.
 */
export async function writePackageFiles(
  root: string,
  folder: string,
  choose: (project: PackageJson) => Partial<PackageJson>,
): Promise<void> {
  const project = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as PackageJson;
  const { name, version } = project;
  const chosen = { name, version, private: true, type: 'module', ...choose(project) };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(chosen, null, 2)}\n`);
  for (const file of ['package-lock.json', '.npmrc']) await cp(join(root, file), join(folder, file));
  // Removes unneeded packages from the lock file. Works offline, because the lock file has all the data.
  await runFile('npm', ['install', '--package-lock-only', '--offline', '--loglevel=error'], { cwd: folder });
}

/** Returns some keys of an object. @throws if a key is missing. */
export function pick<T>(all: Readonly<Record<string, T>>, keys: readonly string[]): Record<string, T> {
  const missing = keys.filter((key) => !(key in all));
  if (missing.length > 0) throw new Error(`package.json does not list ${missing.join(', ')}. Add it to dependencies.`);
  return Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)));
}
