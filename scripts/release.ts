import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { EnvError } from '../netlify/server/runtime/env.ts';
import { BuildError, buildWhenChanged } from '../host/build.ts';
import { loadEnvFile } from '../host/environment.ts';
import { refuseQuestionable, writeSbom } from './sbom.ts';
import { pick, serverCode, writePackageFiles } from './server-code.ts';

/**
 * Files that a release contains in addition to code, if they exist. The server reads the names of services from their
 * files. `.env` is not copied, because a server has its own secrets.
 */
const copied = ['dist', 'content/services', '.env.example', 'site.json'];

/** The project's commands that also work on a server. */
const commands = ['start', 'doctor', 'admin', 'backup', 'restore'];

/**
 * Writes a release: a folder with the built site and everything that is needed to serve it. On a server, `npm start`
 * installs the packages and serves the site, without a build. Node has a separate package.json, in the folder `node`,
 * so servers that already have Node 24 do not download it.
 */
export async function writeRelease(root: string, folder: string): Promise<void> {
  const { files, packages } = await serverCode(root);
  await rm(folder, { recursive: true, force: true });
  await writePackageFiles(root, folder, ({ engines, scripts, dependencies }) => ({
    engines,
    scripts: pick(scripts, commands),
    dependencies: pick(dependencies, packages),
  }));
  await writePackageFiles(root, join(folder, 'node'), ({ optionalDependencies }) => ({ optionalDependencies }));
  for (const name of [...files, ...copied]) {
    await cp(join(root, name), join(folder, name), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || !copied.includes(name)) throw error;
    });
  }
}

if (import.meta.main) {
  const root = process.cwd();
  const next = join(root, '.cache/release');
  try {
    loadEnvFile();
    const built = await buildWhenChanged(root);
    console.log(`Site: ${built ? 'built' : 'up to date'}`);
  } catch (error) {
    if (!(error instanceof BuildError || error instanceof EnvError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
  await writeRelease(root, next);
  const components = await writeSbom(root, join(next, 'sbom.cdx.json'));
  refuseQuestionable(components);
  await rm(join(root, 'release'), { recursive: true, force: true });
  await rename(next, join(root, 'release'));
  console.log('Release: made in release/. Copy this folder to a server and run npm start there (docs/deploy.md).');
}
