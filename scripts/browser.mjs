// Finds browsers for the browser tests, and installs missing ones from Debian. Runs before the npm packages are
// installed. Prefers Chromium's headless shell, which has no window and uses a quarter less processor time.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { run } from './node24.mjs';

/** `find` returns the environment variables that name the browser, or undefined if this machine does not have it. */
const browsers = [
  // The pages' fallback font is adjusted to the letter widths of Times New Roman, and Debian's Chromium has no fonts.
  { name: 'Chromium', packages: ['chromium-headless-shell', 'fonts-liberation'], find: chromium },
  { name: 'Firefox', packages: ['firefox-esr'], find: firefox },
  { name: 'WebKit', packages: ['webkit2gtk-driver', 'xvfb'], find: webkit },
];

/**
 * Returns the environment variables that name the browsers on this machine.
 * @returns {Partial<Record<'CHROMIUM_PATH' | 'FIREFOX_PATH' | 'WEBKIT_BROWSER_PATH' | 'WEBKIT_DRIVER_PATH', string>>}
 */
export function browserVariables() {
  return Object.assign({}, ...browsers.map(({ find }) => find()));
}

/** Returns the browsers that this machine does not have, each with a sentence that says how to install it. */
export function missingBrowsers() {
  const missing = browsers.filter(({ find }) => find() === undefined);
  return missing.map(({ name, packages }) => ({ name, install: `On Debian: sudo apt install ${packages.join(' ')}` }));
}

/** Installs missing browsers with apt-get, if this machine has it and allows it. */
export async function installBrowsers() {
  const missing = browsers.filter(({ find }) => find() === undefined);
  const [command, ...args] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), 'apt-get'];
  if (missing.length === 0 || spawnSync(command, [...args, '--version']).status !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...more) => run(command, [...args, ...more], { env }).catch(({ message }) => console.log(message));
  await aptGet('update', '-qq');
  for (const { name, packages } of missing) {
    console.log(`${name}: installing ${packages.join(', ')}`);
    await aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
  }
}

/**
 * Returns the path of `CHROMIUM_PATH` or of the system's Chromium.
 * @returns {string | undefined}
 */
export function systemChromium() {
  return chromium()?.CHROMIUM_PATH;
}

function chromium() {
  const chrome = ['google-chrome-stable', 'google-chrome'];
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', ...chrome];
  const macos = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'];
  return program('CHROMIUM_PATH', names, macos);
}

function firefox() {
  return program('FIREFOX_PATH', ['firefox-esr', 'firefox'], ['Firefox.app/Contents/MacOS/firefox']);
}

/** Finds a browser by the environment variable, by its names in the PATH, or in the applications of macOS. */
function program(variable, names, macos) {
  const applications = macos.map((path) => join('/Applications', path));
  const path = process.env[variable] ?? [...names.flatMap(inPath), ...applications].find(starts);
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
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path));
}

/** On some systems, the file is only a script that prints where to get the browser. */
function starts(path) {
  return existsSync(path) && spawnSync(path, ['--version']).status === 0;
}
