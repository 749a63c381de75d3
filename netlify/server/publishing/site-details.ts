import { type SiteConfig, firmPromises, siteDetails } from '../../../src/domain/site/site-details.ts';
import { placeholderFields, site } from '../../../src/site.config.ts';

/** Returns what the owner should do before the site is public. */
export function ownerWarnings(details: SiteConfig = site): string[] {
  const madeUp = placeholderFields(details).join(', ');
  const unconfirmed = firmPromises.filter((promise) => !details.confirmedPromises.includes(promise)).join(', ');
  return [
    ...(madeUp ? [`These details of the firm are still placeholders: ${madeUp}. Enter your own in site.json.`] : []),
    ...(unconfirmed
      ? [`The pages make promises that you have not confirmed: ${unconfirmed}. See docs/promises.md.`]
      : []),
  ];
}

/** The firm's details are invalid. The message names each key and what to write. */
export class SiteDetailsError extends Error {
  override readonly name = 'SiteDetailsError';
}

/**
 * Validates the firm's details before the site is built or served.
 * @throws {SiteDetailsError}
 */
export function checkSiteDetails(details: object = site): void {
  if ('unreadable' in details) {
    throw new SiteDetailsError(`site.json ${String(details.unreadable)}`);
  }
  const { error } = siteDetails.safeParse(details);
  if (!error) return;
  const problems = error.issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [`${path} ${issue.message}`];
    return issue.keys.map((key) => `${path ? `${path}.` : ''}${key} is unknown; ${knownKeys(path)}`);
  });
  throw new SiteDetailsError(
    `The firm's details in site.json or src/site.config.ts are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
  );
}

function knownKeys(path: string): string {
  let here: unknown = site;
  for (const step of path ? path.split('.') : []) here = (here as Record<string, unknown>)[step];
  const shape = path === '' ? Object.keys(siteDetails.shape) : Object.keys((here as object | null) ?? {});
  return `the keys are ${shape.join(', ')}`;
}
