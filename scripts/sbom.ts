import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { serverCode, writePackageFiles } from './server-code.ts';

/** Permissive licenses. Code with these licenses may be part of an owner's site. */
const permissive = /^(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT|MIT-0|Unlicense|Zlib)$/;

/** Packages whose licenses were checked by hand. */
const reviewed: Readonly<Record<string, string>> = {
  // The packages whose names begin with this text contain libvips. The LGPL allows this, because libvips is unmodified
  // and can be replaced.
  '@img/sharp': 'LGPL-3.0-or-later',
  // States its MIT license only in its README.
  callsite: 'MIT',
  // State their MIT license in a field that npm no longer reads.
  busboy: 'MIT',
  streamsearch: 'MIT',
};

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { license?: { id?: string; name?: string }; expression?: string }[];
}

interface Bom {
  readonly metadata: { readonly component: { name: string; readonly 'bom-ref': string } };
  components: (Component & { readonly 'bom-ref': string })[];
  dependencies: { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * Writes the software bill of materials (CycloneDX) of the code in production, on a server and in browsers: every
 * package with its version, license and hash. Needs a built site and no network.
 */
export async function writeSbom(root: string, file: string): Promise<readonly Component[]> {
  const onServer = (await serverCode(root)).packages;
  const inBrowsers = await packagesInBrowsers(root);
  const bom = await npmSbom(root, [...onServer, ...inBrowsers.map(nameOf)]);
  const { component } = bom.metadata;
  // npm sets `name` to the name of the folder. The name from package.json is the start of `bom-ref`.
  component.name = nameOf(component['bom-ref']);

  // Adds dependencies only for server packages. `inBrowsers` already lists every package in the browser code, and other
  // dependencies of these packages, such as Vite for @astrojs/react, are only used in builds.
  const needs = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const runs = new Set<string>();
  const add = (ref: string): void => {
    if (runs.has(ref)) return;
    runs.add(ref);
    needs.get(ref)?.forEach(add);
  };
  const direct = needs.get(component['bom-ref']) ?? [];
  direct.filter((ref) => onServer.includes(nameOf(ref))).forEach(add);
  for (const ref of inBrowsers) runs.add(ref);

  bom.components = bom.components.filter((one) => runs.has(one['bom-ref']));
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => runs.has(ref) || ref === component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => runs.has(one)) }));
  await writeFile(file, JSON.stringify(bom, null, 2));
  return bom.components;
}

/** Returns npm's bill of materials for some of the project's packages and their dependencies. */
async function npmSbom(root: string, packages: readonly string[]): Promise<Bom> {
  const folder = join(root, '.cache/sbom');
  await writePackageFiles(root, folder, ({ dependencies }) => ({
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([name]) => packages.includes(name))),
  }));
  const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const { stdout } = await promisify(execFile)('npm', command, { cwd: folder, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as Bom;
}

/** Returns the name and version of each package in the bundles for browsers, from the build's list of licenses. */
async function packagesInBrowsers(root: string): Promise<string[]> {
  const licenses = await readFile(join(root, 'dist/licenses.md'), 'utf8');
  return [...licenses.matchAll(/^## (\S+) - (\S+)/gm)].map(([, name, version]) => `${name}@${version}`);
}

/** Returns `@scope/name` for `@scope/name@version`. */
function nameOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf('@'));
}

/** Returns packages whose license is neither known to be permissive nor checked by hand. */
export function questionable(components: readonly Component[]): string[] {
  return components
    .filter((one) => !isReviewed(one) && !isPermissive(one))
    .map(({ name, version }) => `${name} ${version}`);
}

function isReviewed({ name }: Component): boolean {
  return Object.keys(reviewed).some((known) => name === known || name.startsWith(`${known}-`));
}

/** Checks a license. An expression such as `(MIT OR GPL-2.0)` is permissive if one side of each OR is. */
function isPermissive({ licenses = [] }: Component): boolean {
  const texts = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '');
  const allows = (text: string): boolean =>
    text
      .replace(/^\(|\)$/g, '')
      .split(' AND ')
      .every((part) => part.split(' OR ').some((one) => permissive.test(one.replace(/[()]/g, ''))));
  return texts.length > 0 && texts.every(allows);
}

/** Ends the process with an error if any package is {@link questionable}. */
export function refuseQuestionable(components: readonly Component[]): void {
  const problems = questionable(components);
  if (problems.length === 0) return;
  console.error(
    `These packages have a license that is not on the list of permissive licenses: ${problems.join(', ')}.`,
  );
  process.exit(1);
}

if (import.meta.main) {
  const file = '.cache/sbom.cdx.json';
  const components = await writeSbom(process.cwd(), file);
  console.log(`Wrote ${file}: ${components.length} packages.`);
  refuseQuestionable(components);
}
