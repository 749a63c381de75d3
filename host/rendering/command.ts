import { join } from 'node:path';
import process from 'node:process';
import { EnvError, readBuildEnv } from '../../netlify/server/runtime/env.ts';
import { checkSiteDetails, unconfirmedPromises } from '../../netlify/server/publishing/site-details.ts';
import { checkServices } from '../../src/data/service-files.ts';
import { placeholderFields, site } from '../../src/site.config.ts';
import { keptBundle, placeBundle } from './bundle.ts';
import { hashOfBundle } from './inputs.ts';
import { renderPages } from './render.ts';

/**
 * Renders the pages, the second half of a build: `node host/rendering/command.ts FOLDER`. Runs as a separate process,
 * so its memory is freed at its end.
 */
async function main(dist: string): Promise<void> {
  const root = process.cwd();
  checkSiteDetails();
  checkServices();
  if (readBuildEnv(process.env).production) warn();
  const bundle = await keptBundle(root, await hashOfBundle(root, process.env));
  if (!bundle) throw new Error('The site changed while it was built. Build it again.');
  await placeBundle(root, join(root, dist));
  await renderPages(root, bundle, join(root, dist));
}

function warn(): void {
  const madeUp = placeholderFields(site);
  const unconfirmed = unconfirmedPromises();
  if (madeUp.length > 0) {
    console.warn(`\nWARNING: these values are still made up: ${madeUp.join(', ')}. Enter your own in site.json.\n`);
  }
  if (unconfirmed.length > 0) {
    console.warn(
      `\nWARNING: the pages make promises that you have not confirmed: ${unconfirmed.join(', ')}. See docs/promises.md.\n`,
    );
  }
}

try {
  await main(process.argv[2]!);
} catch (error) {
  console.error(error instanceof EnvError ? error.message : error);
  process.exit(1);
}
