import { existsSync } from 'node:fs';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';
import { modules } from '../../scripts/modules.ts';

test('Every module in the table of docs/architecture.md exists', () => {
  expect(modules.length).toBeGreaterThan(30);
  expect(modules.filter(({ path }) => !existsSync(path))).toEqual([]);
});

test('A module imports only from the rows above its own, so imports never form a circle', () => {
  const above = new Set<string>();
  for (const { path, mayImport } of modules) {
    expect
      .soft(
        mayImport.filter((other) => !above.has(other)),
        path,
      )
      .toEqual([]);
    above.add(path);
  }
});

const lint = new ESLint({
  ruleFilter: ({ ruleId }) => ruleId.startsWith('boundaries/'),
  // The rules about modules do not use type information, which takes seconds to load.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

async function problemsOf(filePath: string, text: string) {
  const [result] = await lint.lintText(text, { filePath });
  return result?.messages.map(({ ruleId }) => ruleId);
}

test.for([
  ['src/islands/header/Header.tsx', '../../data/posts.ts'],
  ['src/domain/slug.ts', '../lib/api.ts'],
  ['src/pages/index.astro', '../admin/posts/Posts.tsx'],
  ['src/pages/.well-known/security.txt.ts', '../../admin/posts/Posts.tsx'],
  ['src/admin/media/MediaScreen.tsx', '../posts/queries.ts'],
  ['src/admin/ui/Button.tsx', '../media/queries.ts'],
  ['src/middleware.ts', './data/posts.ts'],
  ['netlify/server/stores/posts.ts', '../services.ts'],
  ['netlify/server/mail/mailer.ts', '../outbox/deliver.ts'],
])('%s may not import %s', async ([file, imported]) => {
  const text = `import '${imported}';\n`;
  expect(await problemsOf(file!, file!.endsWith('.astro') ? `---\n${text}---\n` : text)).toEqual([
    'boundaries/dependencies',
  ]);
});

test('A file outside every module is refused', async () => {
  expect(await problemsOf('src/helpers/anything.ts', '')).toEqual(['boundaries/no-unknown-files']);
});
