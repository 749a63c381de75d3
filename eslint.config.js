import boundaries from 'eslint-plugin-boundaries';
import astro from 'eslint-plugin-astro';
import a11y from 'eslint-plugin-jsx-a11y-x';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The rooms of docs/architecture.md; the first pattern that fits a file decides. `src/site.config.ts` is open to all but domain. */
const rooms = {
  domain: 'src/domain/**',
  data: 'src/data/**',
  lib: 'src/lib/**',
  admin: 'src/admin/**',
  pages: 'src/pages/**',
  layouts: 'src/layouts/**',
  components: 'src/components/**',
  sections: 'src/sections/**',
  islands: 'src/islands/**',
  styles: 'src/styles/**',
  words: 'content/**',
  functions: 'netlify/functions/**',
  stores: 'netlify/server/stores/**',
  server: 'netlify/server/**',
  host: 'host/**',
  tests: 'tests/**',
  bench: 'bench/**',
};

/** Who may import whom; anything else is an error. */
const view = [
  'site-config',
  'domain',
  'lib',
  'components',
  'sections',
  'islands',
  'layouts',
  'styles',
  'data',
  'words',
];
const mayImport = {
  domain: ['domain'],
  data: ['domain', 'stores', 'server', 'words', 'data'],
  lib: ['domain', 'lib'],
  admin: ['domain', 'lib', 'admin', 'styles'],
  pages: [...view, 'admin', 'pages'],
  layouts: view,
  components: view,
  sections: view,
  islands: view,
  styles: ['styles'],
  words: [],
  functions: ['server', 'domain'],
  stores: ['stores', 'server', 'domain'],
  server: ['server', 'stores', 'domain', 'words'],
  host: ['host', 'functions', 'server', 'domain'],
  tests: Object.keys(rooms),
  bench: Object.keys(rooms),
};

export default defineConfig(
  globalIgnores(['dist', 'dist.next', '.netlify', '.astro', '.cache', '.data', 'test-results', 'tailwind.config.cjs']),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.astro'] } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/require-await': 'off', // an async function states its type even where it has nothing to wait for
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      eqeqeq: 'error',
      'no-restricted-imports': [
        'error',
        {
          name: 'date-fns',
          message: 'Import a function by its own path: all of them take more than a second to load.',
        },
      ],
      'no-console': ['error'],
    },
  },
  {
    files: [
      'netlify/server/log.ts',
      'netlify/bundle.ts',
      'astro.config.mjs',
      'host/**',
      'scripts/**',
      'bench/**',
      '**/*.test.ts',
      'tests/**',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.test.ts', 'tests/**', 'bench/**'],
    rules: {
      // An answer's body is looked at with matchers, not with types.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    files: ['src/domain/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?!zod/mini$|\\./)', message: 'The shared language imports zod/mini only.' }] },
      ],
    },
  },
  { files: ['**/*.{js,mjs,cjs}'], extends: [tseslint.configs.disableTypeChecked] },
  astro.configs['flat/recommended'],
  { files: ['**/*.astro', '**/*.astro/*.ts'], extends: [tseslint.configs.disableTypeChecked] },
  {
    files: ['src/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended, a11y.configs.recommended],
  },
  {
    files: ['{src,netlify,host,content,tests,bench}/**/*.{ts,tsx,astro}'],
    ignores: ['**/*.test.ts'],
    plugins: { boundaries },
    settings: {
      'boundaries/elements': Object.entries(rooms).map(([type, pattern]) => ({ type, pattern, partialMatch: false })),
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [
            { allow: { to: { module: { origin: ['external', 'core'] } } } },
            ...Object.entries(mayImport).map(([from, to]) => ({
              from: { element: { type: from } },
              allow: { to: { element: { types: { anyOf: to } } } },
            })),
          ],
        },
      ],
    },
  },
);
