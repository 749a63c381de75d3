import { appendFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { apiFunctions } from './api-functions.ts';
import { copyrightYear } from '../src/domain/text/text.ts';
import { readOfferedServices } from '../src/domain/submissions/offered-services.ts';
import { readOwnDetails, site } from '../src/site.config.ts';
import { checkSiteDetails } from './server/publishing/site-details.ts';

/*
 * This script bundles each function into a single file of 40 KB to 2 MB. Netlify's own packager would copy every imported
 * package as a whole, which makes 1.5 MB in 450 files for each function. The single file starts ten times as fast.
 */
const source = 'netlify/functions';
const target = '.netlify/bundled-functions';

checkSiteDetails();
const functions = await apiFunctions();
await rm(target, { recursive: true, force: true });
const names = (await readdir(source)).filter((name) => name.endsWith('.ts'));
await build({
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
  define: {
    BUILT_YEAR: JSON.stringify(copyrightYear(new Date(), site.timeZone)),
    OWN_SITE_DETAILS: JSON.stringify(readOwnDetails()),
    OFFERED_SERVICES: JSON.stringify(readOfferedServices()),
  },
  entryPoints: names.map((name) => join(source, name)),
  outdir: target,
  outExtension: { '.js': '.mjs' },
});
// Netlify reads a function's paths from the text of the bundled file, so the text must contain them as literals.
for (const [name, { config }] of Object.entries(functions)) {
  await appendFile(
    join(target, `${name}.mjs`),
    `\nconst netlifyConfig=${JSON.stringify(config)};export{netlifyConfig as config};\n`,
  );
}
console.log(`Bundled ${names.length} functions.`);
