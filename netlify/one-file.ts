import type { BuildOptions } from 'esbuild';

/** How a function becomes one file that Node runs as it is. `export const config` stays literal, as Netlify reads it. */
export const oneFile = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  // What is left of CommonJS in a bundle asks for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
} satisfies BuildOptions;
