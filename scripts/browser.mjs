// Finds browsers for the browser tests, and installs missing ones from Debian. Runs before the npm packages are
// installed. Prefers Chromium's headless shell, which has no window and uses a quarter less processor time.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';
import { run } from './node24.mjs';

const browsers = [
  {
    name: 'Chromium',
    // The pages' fallback font is adjusted to the letter widths of Times New Roman, and Debian's Chromium has no fonts.
    packages: ['chromium-headless-shell', 'fonts-liberation'],
    find: () =>
      program('CHROMIUM_PATH', [
        ...['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      ]),
  },
  {
    name: 'Firefox',
    packages: ['firefox-esr'],
    find: () => program('FIREFOX_PATH', ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']),
  },
  { name: 'WebKit', packages: ['webkit2gtk-driver', 'xvfb'], find: webkit },
];
const missing = () => browsers.filter(({ find }) => find() === undefined);

/**
 * Returns the environment variables that name the browsers on this machine.
 * @returns {Partial<Record<'CHROMIUM_PATH' | 'FIREFOX_PATH' | 'WEBKIT_BROWSER_PATH' | 'WEBKIT_DRIVER_PATH', string>>}
 */
export function browserVariables() {
  return Object.assign({}, ...browsers.map(({ find }) => find()));
}

/**
 * Installs missing browsers with apt-get, if this machine has it and allows it.
 * @returns the names of the browsers that are still missing, in lower case.
 */
export async function installBrowsers() {
  const [command, ...args] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), 'apt-get'];
  if (missing().length > 0 && spawnSync(command, [...args, '--version']).status === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const aptGet = (...more) => run(command, [...args, ...more], { env }).catch(({ message }) => console.log(message));
    await aptGet('update', '-qq');
    for (const { name, packages } of missing()) {
      console.log(`${name}: installing ${packages.join(', ')}`);
      await aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
    }
  }
  return missing().map(({ name, packages }) => {
    console.log(`${name} is missing, so its tests are skipped. On Debian: sudo apt install ${packages.join(' ')}`);
    return name.toLowerCase();
  });
}

/** Finds a browser by the environment variable, by its names in the PATH, or by its path on macOS. */
function program(variable, names) {
  const path = process.env[variable] ?? names.flatMap(inPath).find(starts);
  return path === undefined ? undefined : { [variable]: path };
}

/** Finds WebKit's driver, its small browser, and a virtual screen for both. */
function webkit() {
  const [driver] = inPath('WebKitWebDriver');
  const [screen] = inPath('Xvfb');
  const libraries = existsSync('/usr/lib') ? readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu')) : [];
  const browser = ['/usr/libexec', ...libraries.map((name) => join('/usr/lib', name))]
    .flatMap((folder) => ['webkit2gtk-4.1', 'webkitgtk-6.0'].map((version) => join(folder, version, 'MiniBrowser')))
    .find((path) => existsSync(path));
  return driver && screen && browser ? { WEBKIT_DRIVER_PATH: driver, WEBKIT_BROWSER_PATH: browser } : undefined;
}

function inPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => resolve(folder, name)).filter((path) => existsSync(path));
}

/** On some systems, the file is only a script that prints where to get the browser. */
function starts(path) {
  return existsSync(path) && spawnSync(path, ['--version']).status === 0;
}
