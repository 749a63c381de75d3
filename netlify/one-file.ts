import type { BuildOptions } from 'esbuild';

/**
 * Build options that bundle a function into one file for Node. They leave the value of `export const config` a literal,
 * because Netlify reads this value from the text of the bundle.
 */
export const oneFile = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  // CommonJS packages load Node's built-in modules with `require`, which an ES module does not have.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
} satisfies BuildOptions;
