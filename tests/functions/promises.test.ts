import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const text = readFileSync('docs/security.md', 'utf8');
const section = text.slice(text.indexOf('\n## Promises'), text.indexOf('\n## Decisions'));
const promises = section
  .split('\n- ')
  .slice(1)
  .map((entry) => ({
    promise: entry.split('\n', 1)[0] ?? '',
    tests: [...entry.matchAll(/^ {2}- `([^`]+\.test\.ts)`: "(.+)"$/gm)].map(([, file = '', name = '']) => ({
      file,
      name,
    })),
    lines: entry.trim().split('\n').length - 1,
  }));

describe('A promise of docs/security.md', () => {
  test('is in the list', () => expect(promises.length).toBeGreaterThan(30));

  test.for(promises)('is tested by tests that exist: $promise', ({ tests, lines }) => {
    expect(tests.length).toBeGreaterThan(0);
    expect(tests).toHaveLength(lines);
    for (const { file, name } of tests) expect(readFileSync(file, 'utf8'), file).toContain(`'${name}'`);
  });

  test('names only files that exist', () => {
    const files = [...text.matchAll(/`((?:host|netlify|src|tests|bench|docs)\/[^`\s]+\.\w+)`/g)].map(
      ([, file]) => file,
    );
    for (const file of files) expect(() => readFileSync(file ?? ''), file).not.toThrow();
  });
});
