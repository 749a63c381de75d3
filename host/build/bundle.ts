import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { build } from 'esbuild';
import { oneFile } from '../../netlify/one-file.ts';
import { readOfferedServices } from '../../src/domain/submissions/offered-services.ts';

/**
 * Bundles the server, its database thread and the functions into a few files. Node takes a third of a second longer to
 * load the 340 source files and packages.
 */
export async function bundleServer(root: string, folder: string): Promise<void> {
  const host = join(import.meta.dirname, '..');
  const functions = join(root, 'netlify/functions');
  await build({
    ...oneFile,
    // Names and lines stay readable in the log.
    minifyWhitespace: false,
    splitting: true,
    define: { OFFERED_SERVICES: JSON.stringify(readOfferedServices()) },
    // Packages that are loaded when needed stay outside: the start does not load them, and some have native code.
    plugins: [
      {
        name: 'lazy-packages',
        setup: (bundler) =>
          bundler.onResolve({ filter: /^[^./]/ }, ({ kind }) =>
            kind === 'dynamic-import' ? { external: true } : undefined,
          ),
      },
    ],
    entryPoints: [
      { in: join(host, 'serve.ts'), out: 'serve' },
      { in: join(host, 'data/database-thread.ts'), out: 'database-thread' },
      ...(await readdir(functions)).map((file) => ({
        in: join(functions, file),
        out: `functions/${parse(file).name}`,
      })),
    ],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
  });
}
