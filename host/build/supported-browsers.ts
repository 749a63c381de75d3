import browserslist from 'browserslist';

/** Short names of browsers in Vite and esbuild, by their names in `browserslist` (package.json). */
const names = { chrome: 'chrome', edge: 'edge', firefox: 'firefox', safari: 'safari', ios_saf: 'ios' };

/** Returns the oldest supported version of each browser, such as `safari17.5`. */
export function oldestBrowsers(): string[] {
  // The list begins with the newest version of each browser. A Map keeps the last value of each key: the oldest
  // version.
  const oldest = new Map(browserslist().map((entry) => entry.split(' ') as [string, string]));
  return Object.entries(names).map(([name, short]) => `${short}${oldest.get(name)?.split('-')[0]}`);
}
