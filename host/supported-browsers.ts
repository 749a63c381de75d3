import browserslist from 'browserslist';

/** Browsers as `browserslist` in package.json names them, and as Vite and esbuild do. */
const names = { chrome: 'chrome', edge: 'edge', firefox: 'firefox', safari: 'safari', ios_saf: 'ios' };

/** Returns the oldest supported version of each browser, such as `safari16.4`. */
export function oldestBrowsers(): string[] {
  // The list has the newest version of each browser first.
  const oldest = new Map(browserslist().map((entry) => entry.split(' ') as [string, string]));
  return Object.entries(names).map(([name, short]) => `${short}${oldest.get(name)?.split('-')[0]}`);
}
