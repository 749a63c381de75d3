import { createHash, type Hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { readBuildEnv } from '../../netlify/server/runtime/env.ts';

/**
 * Folders with the inputs of a build, except tests. `ownParts` and the files that match `inputFiles` are inputs too.
 */
const inputFolders = ['src', 'content', 'public', 'netlify'];
/** The files of the host that run during a build. */
export const ownParts = [
  'browser-chunks.ts',
  'http/canonical-path.ts',
  'in-parallel.ts',
  'module-preloads.ts',
  'netlify-output.ts',
  'precompress.ts',
  'rendering/bundle.ts',
  'rendering/command.ts',
  'rendering/entry.ts',
  'rendering/inputs.ts',
  'rendering/kept-pages.ts',
  'rendering/render-files.ts',
  'rendering/render.ts',
  'rendering/sitemap.ts',
  'rendering/thread.ts',
  'rendering/threads.ts',
  'supported-browsers.ts',
  'without-slash.ts',
];
const inputFiles = /^(package|package-lock|tsconfig|site)\.json$|\.config\.[cm]?[jt]s$/;
const noInput = /\.test\.ts$|^\.DS_Store$/;
/** Articles are read while pages are rendered (src/data/article-files.ts). All other files are part of the bundle. */
const article = /^content\/articles\/[^/]+\.mdx$/;

/** Returns a hash of the names and contents of all inputs of a build, except the content of the database. */
export async function hashOfBuild(root: string, variables: NodeJS.ProcessEnv): Promise<string> {
  return await hashOf(root, variables, () => true);
}

/** Returns a hash of all inputs of the bundle: the inputs of the build without the articles. */
export async function hashOfBundle(root: string, variables: NodeJS.ProcessEnv): Promise<string> {
  return await hashOf(root, variables, (path) => !article.test(path));
}

async function hashOf(
  root: string,
  variables: NodeJS.ProcessEnv,
  includes: (path: string) => boolean,
): Promise<string> {
  const hash = hashOfMachine(root, variables);
  for (const path of (await inputs(root)).filter(includes)) {
    hash
      .update(`${path}\0`)
      // Synchronous reads, because asynchronous reads of single files take three times as long.
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * Starts a hash with the values that affect a build but are in no input file. For example, the bundle contains the
 * project's path and, on Netlify, URLs with `DEPLOY_ID`.
 */
function hashOfMachine(root: string, variables: NodeJS.ProcessEnv): Hash {
  const { SITE_URL, LIBSQL_URL, production } = readBuildEnv(variables);
  const values = [resolve(root), process.version, SITE_URL, LIBSQL_URL, production, variables.DEPLOY_ID];
  return createHash('sha256').update(JSON.stringify(values));
}

/** Returns the paths of all inputs, sorted. */
async function inputs(root: string): Promise<string[]> {
  const files = ownParts.map((name) => join('host', name));
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (entry.isFile() && inputFiles.test(entry.name)) files.push(entry.name);
  }
  for (const folder of inputFolders) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])) {
      if (entry.isFile() && !noInput.test(entry.name)) files.push(relative(root, join(entry.parentPath, entry.name)));
    }
  }
  return files.sort();
}
