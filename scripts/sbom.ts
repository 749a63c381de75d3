import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

/** Licenses whose code may be part of a site that somebody else owns. */
const permissive = /^(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT|MIT-0|Unlicense|Zlib)$/;

/** Packages that were looked at by hand, with what was found. */
const reviewed: Readonly<Record<string, string>> = {
  // A library of its own that is loaded as it comes and can be replaced, which the LGPL asks for.
  'sharp-libvips': 'LGPL-3.0-or-later',
  // States its license, MIT, in its README alone.
  callsite: 'MIT',
};

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { license?: { id?: string; name?: string }; expression?: string }[];
  readonly components?: readonly Component[];
}

/**
 * Writes the software bill of materials (CycloneDX) of what runs in production: every package with its version, its
 * license and where it comes from. Needs no network.
 */
export async function writeSbom(root: string, file: string): Promise<readonly Component[]> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  const tool = join(root, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');
  const options = ['--omit', 'dev', '--output-format', 'JSON', '--output-file', file];
  await promisify(execFile)(process.execPath, [tool, ...options], { cwd: root, maxBuffer: 2 ** 24 });
  const { components } = JSON.parse(await readFile(join(root, file), 'utf8')) as { components: Component[] };
  return components.flatMap(flat);
}

/** Packages whose license is not known to be permissive, and which nobody has looked at. */
export function questionable(components: readonly Component[]): string[] {
  return components
    .filter((one) => !isReviewed(one) && !isPermissive(one))
    .map(({ name, version }) => `${name} ${version}`);
}

function isReviewed({ name }: Component): boolean {
  return Object.keys(reviewed).some((known) => name === known || name.startsWith(`${known}-`));
}

/** An expression such as `(MIT OR GPL-2.0)` is permissive where one side of each OR is. */
function isPermissive({ licenses = [] }: Component): boolean {
  const texts = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '');
  const allows = (text: string): boolean =>
    text
      .replace(/^\(|\)$/g, '')
      .split(' AND ')
      .every((part) => part.split(' OR ').some((one) => permissive.test(one.replace(/[()]/g, ''))));
  return texts.length > 0 && texts.every(allows);
}

function flat(component: Component): Component[] {
  return [component, ...(component.components ?? []).flatMap(flat)];
}

if (import.meta.main) {
  const file = '.cache/sbom.cdx.json';
  const components = await writeSbom(process.cwd(), file);
  const problems = questionable(components);
  console.log(`Wrote ${file}: ${components.length} packages.`);
  if (problems.length > 0) {
    console.error(`These packages have no license that is known to be permissive: ${problems.join(', ')}.`);
    process.exitCode = 1;
  }
}
