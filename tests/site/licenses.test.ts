import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { questionable, writeSbom } from '../../scripts/sbom.ts';
import { serverCode } from '../../scripts/server-code.ts';

describe('The packages that run in production', () => {
  test('are all listed in CycloneDX with a permissive license', { timeout: 180_000 }, async () => {
    const components = await writeSbom(process.cwd(), '.cache/sbom.cdx.json');
    const names = components.map(({ name }) => name);
    // Checks examples of imported server packages, their dependencies, native code, and packages for browsers.
    for (const name of ['jose', 'oauth4webapi', '@libsql/linux-x64-gnu', 'react-dom', 'prosemirror-view']) {
      expect(names).toContain(name);
    }
    const { packages } = await serverCode(process.cwd());
    expect(packages.filter((name) => !names.includes(name))).toEqual([]);
    for (const name of ['astro', 'vite', 'esbuild', 'vitest']) expect(names).not.toContain(name);
    expect(questionable(components)).toEqual([]);
    expect(JSON.parse(readFileSync('.cache/sbom.cdx.json', 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' });
  });

  test('are reported if they have a copyleft license or no license', () => {
    const of = (name: string, expression?: string) => ({
      name,
      version: '1.0.0',
      ...(expression && { licenses: [{ expression }] }),
    });
    const components = [
      of('free', 'MIT'),
      of('either', '(MIT OR GPL-3.0-only)'),
      of('both', 'MIT AND AGPL-3.0-only'),
      of('strict', 'AGPL-3.0-only'),
      of('none'),
    ];
    expect(questionable(components)).toEqual(['both 1.0.0', 'strict 1.0.0', 'none 1.0.0']);
  });
});

test('The site publishes the licenses of all packages in the browser bundles', () => {
  const notice = readFileSync('dist/licenses.md', 'utf8');
  for (const name of ['react-dom', '@tiptap/core', 'prosemirror-view']) expect(notice).toContain(name);
  expect(notice).not.toMatch(/AGPL|GNU GENERAL PUBLIC LICENSE/);
});
