import astro from 'eslint-plugin-astro';
import a11y from 'eslint-plugin-jsx-a11y-x';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

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
      '@typescript-eslint/require-await': 'off', // some types require functions that return a Promise
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
      // Tests check the body of a response with matchers, so the body may have the type `any`.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    files: ['{src,netlify,host,scripts}/**/*.{ts,tsx,astro,mjs}', '**/*.astro/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { regexp },
    rules: {
      // A visitor could stop the site with a text for which an expression takes quadratic time.
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
    },
  },
  { files: ['**/*.{js,mjs,cjs}'], extends: [tseslint.configs.disableTypeChecked] },
  astro.configs['flat/recommended'],
  { files: ['**/*.astro', '**/*.astro/*.ts'], extends: [tseslint.configs.disableTypeChecked] },
  {
    files: ['src/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended, a11y.configs.recommended],
  },
);
