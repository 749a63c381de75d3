import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { apiFunctions } from './api-functions.ts';
import { oneFile } from './one-file.ts';
import { copyrightYear } from '../src/domain/copyright-year.ts';
import { readOwnDetails, site } from '../src/site.config.ts';
import { apiDocument } from './server/http/api-document.ts';
import { checkSiteDetails } from './server/site-details.ts';

/**
 * Bundles every function into one file each, for Netlify. Left to itself Netlify's packager takes each imported package
 * along whole (1.5 MB and 450 files a function); one file of 200 KB starts in a tenth of the time.
 */
const source = 'netlify/functions';
const target = '.netlify/bundled-functions';

checkSiteDetails();
await rm(target, { recursive: true, force: true });
const names = (await readdir(source)).filter((name) => name.endsWith('.ts'));
await build({
  ...oneFile,
  define: {
    API_DOCUMENT: JSON.stringify(apiDocument(await apiFunctions())),
    BUILT_YEAR: JSON.stringify(copyrightYear(new Date(), site.timeZone)),
    OWN_SITE_DETAILS: JSON.stringify(readOwnDetails()),
  },
  entryPoints: names.map((name) => join(source, name)),
  outdir: target,
  outExtension: { '.js': '.mjs' },
});
console.log(`Bundled ${names.length} functions.`);
