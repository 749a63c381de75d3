import astro from 'eslint-plugin-astro';
import { defineConfig, globalIgnores } from 'eslint/config';

// Checks the templates of .astro files. oxlint checks everything else (.oxlintrc.json).
export default defineConfig(globalIgnores(['dist', 'dist.next', '.netlify', '.astro', '.cache', '.data']), {
  files: ['**/*.astro'],
  extends: [astro.configs['flat/recommended']],
});
