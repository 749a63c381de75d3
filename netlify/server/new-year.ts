import { copyrightYear } from '../../src/domain/copyright-year.ts';
import { site } from '../../src/site.config.ts';
import { askForBuild } from './announce-change.ts';
import type { Services } from './services.ts';

/** The year in which Netlify's bundle was made (netlify/bundle.ts), as the copyright line of that build shows it. */
declare const BUILT_YEAR: string | undefined;

/**
 * Asks for a build if the pages show last year's copyright: once an hour, until a build of the new year has replaced this
 * code. On one machine the host corrects the year itself (host/live-pages.ts).
 */
export async function keepYear(
  services: Services,
  builtYear = typeof BUILT_YEAR === 'undefined' ? null : BUILT_YEAR,
): Promise<void> {
  const now = services.now();
  if (builtYear === null || copyrightYear(now, site.timeZone) === builtYear || now.getUTCMinutes() !== 0) return;
  await askForBuild(services);
}
