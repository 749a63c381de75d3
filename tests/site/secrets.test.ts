import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import madeUp from '../support/made-up-secrets.json' with { type: 'json' };

// `npm test` builds the site with these values. The build must also not contain the values of this machine's own
// environment.
const secrets = Object.entries(madeUp).flatMap(([name, value]) => [value, process.env[name] ?? value]);

beforeAll(() => {
  execFileSync(process.execPath, ['netlify/bundle.ts'], { env: { ...process.env, ...madeUp }, stdio: 'pipe' });
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz|zst|woff2|png|webp|avif|ico)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

test.for(['dist', '.netlify/bundled-functions', '.netlify/v1'])('%s contains no secret of the build', (folder) => {
  const files = filesOf(folder);
  expect(files.length).toBeGreaterThan(0);
  const found = files.filter((file) => {
    const text = readFileSync(file, 'latin1');
    return secrets.some((secret) => text.includes(secret));
  });
  expect(found).toEqual([]);
});

test('No file for browsers reads the server’s environment', () => {
  const scripts = filesOf('dist').filter((file) => /\.(js|mjs|html)$/.test(file));
  const asking = scripts.filter((file) =>
    Object.keys(madeUp).some((name) => new RegExp(`env\\W{1,3}${name}`).test(readFileSync(file, 'utf8'))),
  );
  expect(asking).toEqual([]);
});
