import { copyrightYear } from '../../../src/domain/text.ts';
import { site } from '../../../src/site.config.ts';
import { askForBuild } from './announce-change.ts';
import type { Services } from '../services.ts';

/** The year in which Netlify's bundle was built (netlify/bundle.ts), as in the copyright line of that build. */
declare const BUILT_YEAR: string | undefined;

/**
 * Requests a build once an hour while the pages show last year's copyright. The requests stop when the new build
 * replaces this code, because it contains the new year. A self-hosted server corrects the year itself
 * (host/http/live-pages.ts).
 */
export async function keepYear(
  services: Services,
  builtYear = typeof BUILT_YEAR === 'undefined' ? null : BUILT_YEAR,
): Promise<void> {
  const now = services.now();
  if (builtYear === null || copyrightYear(now, site.timeZone) === builtYear || now.getUTCMinutes() !== 0) return;
  await askForBuild(services);
}
