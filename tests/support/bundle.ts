import { build } from 'vite';
import { serviceConstants } from '../../src/domain/offered-services.ts';

/**
 * Bundles browser code into one minified module, like the site's build.
 * @param source a TypeScript module with absolute or root-relative imports.
 */
export async function bundle(source: string): Promise<string> {
  const entry = 'virtual:entry.ts';
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    define: serviceConstants(),
    root: new URL('../..', import.meta.url).pathname,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? `\0${entry}` : null),
        load: (id) => (id === `\0${entry}` ? source : null),
      },
    ],
    build: {
      write: false,
      target: 'es2024',
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict', output: { format: 'es' } },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunk = outputs
    .flatMap((output) => ('output' in output ? output.output : []))
    .find(({ type }) => type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error('The bundle is empty.');
  return chunk.code;
}
